// Marching cubes on the buckyball volume compared with the reference arrays of NVIDIA's marching cubes
// sample.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/mesh/extract/surface_masks.h"
#include "kernels/mesh/extract/surface_memory.h"
#include "tests/kernels/mesh/mesh_backends.h"
#include "tests/kernels/mesh/mesh_test_support.h"
#include "tests/support/test_support.h"

#include <fstream>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {
template <class T>
std::vector<T> readArray(const std::filesystem::path& path, std::size_t count) {
    std::vector<T> values(count);
    std::ifstream file(path, std::ios::binary);
    file.read(reinterpret_cast<char*>(values.data()), static_cast<std::streamsize>(count * sizeof(T)));
    if (!file)
        throw std::runtime_error("short file: " + path.string());
    return values;
}

ScalarField bucky(const std::filesystem::path& path) {
    std::vector<float> values;
    for (const std::uint8_t byte : readArray<std::uint8_t>(path, 32 * 32 * 32))
        values.push_back(static_cast<float>(byte) / 255.0f);
    // the sample's frame: 32 cells across [-1, 1]
    return cpu::volumeField(values, {{-1, -1, -1}, {2.0f / 32, 2.0f / 32, 2.0f / 32}, {32, 32, 32}}, true,
                            true, {});
}
/// The cells that carry surface.
std::vector<Vec3i> activeCells(const ScalarField& field, float iso) {
    const auto keys = field.brickKeys.span();
    const auto neighbours = findNeighbours(keys, keys, field.brickDims, {});
    const auto masks =
        cpu::classify(field, iso, neighbours.span(), cpu::SurfaceMemory(nullptr, field, neighbours, {}), {});
    std::vector<Vec3i> cells;
    for (std::size_t word = 0; word < masks.active.size(); ++word) {
        const Vec3i first = brickOf(keys[word / kBrickEdge], field.brickDims) * kBrickEdge;
        for (std::uint64_t rest = masks.active[word]; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            cells.push_back(first +
                            Vec3i{bit % kBrickEdge, bit / kBrickEdge, static_cast<int>(word % kBrickEdge)});
        }
    }
    return cells;
}
} // namespace

class TestMarchingCubesVolume : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_MESH_BACKEND(activeCellsAreTheReference)
    ON_EACH_MESH_BACKEND(verticesAreTheReference)

private:
    void activeCellsAreTheReferenceOn(const Extractor& extract) {
        SCANLOUPE_REAL_SCAN(volume, "volume/Bucky.raw");
        const auto field = bucky(volume);
        const auto mesh = extract(field, 0.2f);
        QCOMPARE(mesh.activeCells, std::uint64_t{7164});
        QCOMPARE(difference(cpu::extractSurface(field, 0.2f, {}), mesh), std::string());
        std::vector<std::uint32_t> mine;
        for (const Vec3i cell : activeCells(field, 0.2f))
            mine.push_back(static_cast<std::uint32_t>(cell.x + 32 * (cell.y + 32 * cell.z)));
        std::sort(mine.begin(), mine.end());
        const auto reference = readArray<std::uint32_t>(volume.parent_path() / "compVoxelArray.bin", 7164);
        QCOMPARE(mine, reference);
    }
    /// The reference repeats each vertex in each of its triangles, and its table connects different corners
    /// on ambiguous faces. The positions of the vertices must be the same nevertheless.
    void verticesAreTheReferenceOn(const Extractor& extract) {
        SCANLOUPE_REAL_SCAN(volume, "volume/Bucky.raw");
        const auto mesh = extract(bucky(volume), 0.2f);
        const auto reference = readArray<std::array<float, 4>>(volume.parent_path() / "posArray.bin", 43524);
        const auto near = [](const std::vector<Triple>& sorted, const Triple& wanted) {
            constexpr float tolerance = 1e-5f;
            auto it = std::lower_bound(sorted.begin(), sorted.end(), Triple{wanted[0] - tolerance, -9, -9});
            for (; it != sorted.end() && (*it)[0] <= wanted[0] + tolerance; ++it)
                if (std::abs((*it)[1] - wanted[1]) <= tolerance &&
                    std::abs((*it)[2] - wanted[2]) <= tolerance)
                    return true;
            return false;
        };
        std::vector<Triple> mine, theirs;
        for (const Vec3f position : mesh.positions.span())
            mine.push_back(triple(position));
        for (const auto& position : reference)
            theirs.push_back({position[0], position[1], position[2]});
        std::sort(mine.begin(), mine.end());
        std::sort(theirs.begin(), theirs.end());
        for (const Triple& position : mine)
            QVERIFY(near(theirs, position));
        for (const Triple& position : theirs)
            QVERIFY(near(mine, position));
        std::printf("buckyball: %zu vertices, %zu triangles (reference: 43524 corners, 14508 triangles)\n",
                    mesh.vertexCount(), mesh.triangleCount());
        QVERIFY(wellFormed(mesh));
        QCOMPARE(analyseTopology(mesh).nonManifoldEdges, std::uint64_t{0});
    }
};

SCANLOUPE_TEST(TestMarchingCubesVolume)
#include "test_marching_cubes_volume.moc"
