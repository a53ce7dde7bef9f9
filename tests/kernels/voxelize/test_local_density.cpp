// The density of points around each voxel, on both backends, compared with a plain count.
#include "kernels/voxelize/operators.h"
#include "tests/support/test_support.h"

#include <cstring>
#include <random>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

class TestLocalDensity : public QObject {
    Q_OBJECT
private slots:
    void backends_data() {
        QTest::addColumn<bool>("onDevice");
        QTest::newRow("cpu") << false;
        QTest::newRow("cuda") << true;
    }
    void backends() {
        QFETCH(bool, onDevice);
        if (onDevice)
            SCANLOUPE_NEEDS_CUDA();
        std::mt19937 random(20);
        std::uniform_real_distribution<float> unit(0, 1);
        std::vector<Vec3f> points(2000);
        for (Vec3f& p : points)
            p = {unit(random), unit(random) * unit(random), unit(random)};
        const VoxelizeParams params{{0, 0, 0}, {1, 1, 1}, {0.1f, 0.1f, 0.2f}};
        std::optional<Stream> stream; // outlives the buffers that are freed on it
        VoxelGrid grid = cpu::voxelize({points.data(), points.size(), {}}, params, {});
        const VoxelGrid expected = cpu::voxelize({points.data(), points.size(), {}}, params, {});
        Execution on{std::nullopt, {}};
        if (onDevice) {
            on.device = stream.emplace().view();
            grid.keys = grid.keys.copyTo(MemorySpace::device, *stream);
            grid.counts = grid.counts.copyTo(MemorySpace::device, *stream);
        }
        const Buffer<float> found = localDensities(grid, on);
        const Buffer<float> densities =
            onDevice ? found.copyTo(MemorySpace::host, *stream) : hostCopy(found.span());
        QCOMPARE(densities.size(), expected.size());
        for (std::size_t v = 0; v < expected.size(); ++v) {
            const Vec3i at = expected.shape.cell(expected.keys[v]);
            std::uint64_t count = 0;
            for (std::size_t w = 0; w < expected.size(); ++w) {
                const Vec3i other = expected.shape.cell(expected.keys[w]);
                const Vec3i apart = other - at;
                if (std::abs(apart.x) <= 1 && std::abs(apart.y) <= 1 && std::abs(apart.z) <= 1)
                    count += expected.counts[w];
            }
            const auto across = [](std::int32_t i, std::int32_t size) {
                return std::uint64_t(std::min(i + 1, size - 1) - std::max(i - 1, 0) + 1);
            };
            const Vec3i dims = expected.shape.dims;
            const std::uint64_t cells = across(at.x, dims.x) * across(at.y, dims.y) * across(at.z, dims.z);
            const Vec3f edge = expected.shape.voxelSize;
            const float density = float(count) / (float(cells) * (edge.x * edge.y * edge.z));
            QCOMPARE(std::bit_cast<std::uint32_t>(densities[v]), std::bit_cast<std::uint32_t>(density));
        }
    }
};

SCANLOUPE_TEST_IN(QCoreApplication, TestLocalDensity)
#include "test_local_density.moc"
