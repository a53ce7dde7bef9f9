// Voxels in the order of their first points, on both backends, compared with hard voxelization as in
// detectors.
#include "kernels/voxelize/operators.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <unordered_map>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

VoxelizeParams streetParams(float size) {
    return {{-54, -54, -5}, {54, 54, 3}, {size, size, 0.2f}};
}

/// The result of a loop over the points that creates voxels while there are fewer than `most`.
struct HardVoxels {
    std::vector<std::uint64_t> keys; // keys in the order of their first points
    std::vector<std::uint32_t> counts, firsts;
    std::uint64_t droppedPoints = 0;
};
HardVoxels hardVoxels(const Cloud& cloud, const VoxelizeParams& params, std::size_t most) {
    const GridShape shape = gridShape(params);
    HardVoxels voxels;
    std::unordered_map<std::uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
        Vec3i cell;
        bool inRange = true;
        for (int axis = 0; axis < 3; ++axis) {
            const float c = cloud.positions[i][axis];
            inRange = inRange && c >= params.rangeMin[axis] && c < params.rangeMax[axis];
            if (inRange)
                cell[axis] = std::min(int(std::floor((c - params.rangeMin[axis]) / params.voxelSize[axis])),
                                      shape.dims[axis] - 1);
        }
        if (!inRange)
            continue;
        const std::uint64_t key = shape.key(cell);
        const auto known = places.find(key);
        if (known == places.end() && voxels.keys.size() == most) {
            ++voxels.droppedPoints;
            continue;
        }
        const std::size_t place = known == places.end() ? voxels.keys.size() : known->second;
        if (known == places.end()) {
            places.emplace(key, place);
            voxels.keys.push_back(key);
            voxels.counts.push_back(0);
            voxels.firsts.push_back(std::uint32_t(i));
        }
        if (params.maxPointsPerVoxel == 0 || voxels.counts[place] < params.maxPointsPerVoxel)
            ++voxels.counts[place];
    }
    return voxels;
}

/// The grid of a cloud's points where the backend leaves it. With "pieces", the voxels of the points are on
/// the host.
VoxelGrid madeOn(const QString& backend, const Cloud& cloud, const VoxelizeParams& params,
                 const Execution& on) {
    if (backend == "cpu")
        return voxelize({cloud.positions.data(), cloud.positions.size(), {}}, MemorySpace::host, params, on);
    if (backend == "pieces")
        return cuda::voxelizeInPieces({cloud.positions.data(), cloud.positions.size(), {}}, params, 50'000,
                                      {}, *on.device, nullptr);
    const DeviceCloud there(cloud, *on.device);
    PointsView points = there.view();
    points.features = {}; // the pipeline computes no features of dropped voxels
    VoxelGrid grid = voxelize(points, MemorySpace::device, params, on);
    on.device->synchronize();
    return grid;
}

} // namespace

class TestVoxelOrder : public QObject {
    Q_OBJECT

private slots:
    void firstVoxelsStay_data() {
        QTest::addColumn<QString>("backend");
        QTest::addColumn<int>("pointsPerVoxel");
        for (const char* backend : {"cpu", "cuda", "pieces"})
            for (const int points : {0, 10})
                if (points == 0 || QString(backend) != "pieces") // pieces can't determine the first points
                    QTest::addRow("%s %d", backend, points) << QString(backend) << points;
    }
    void firstVoxelsStay() {
        QFETCH(QString, backend);
        QFETCH(int, pointsPerVoxel);
        if (const std::string why = whyNot(backend == "cpu" ? "cpu" : "cuda"); !why.empty())
            QSKIP(why.c_str());
        const auto stream = backend == "cpu" ? nullptr : std::make_unique<Stream>();
        const Execution on{stream ? std::optional<StreamView>(*stream) : std::nullopt, {}};
        const Cloud cloud = streetCloud(200'000, 5);
        VoxelizeParams params = streetParams(0.2f);
        params.maxPointsPerVoxel = std::uint32_t(pointsPerVoxel);
        const std::size_t all = hardVoxels(cloud, params, ~std::size_t{0}).keys.size();
        for (const std::size_t most : {std::size_t{0}, std::size_t{1}, all / 3, all - 1, all, all + 1}) {
            VoxelGrid made = madeOn(backend, cloud, params, on);
            keepFirstVoxels(made, most, on);
            const VoxelGrid grid = made.download(on.device.value_or(StreamView(nullptr)));
            const HardVoxels expected = hardVoxels(cloud, params, most);
            QCOMPARE(grid.size(), expected.keys.size());
            QCOMPARE(grid.stats.voxelsDropped, std::uint64_t(all - grid.size()));
            if (pointsPerVoxel == 0)
                QCOMPARE(grid.stats.pointsDroppedWithVoxels, expected.droppedPoints);
            QVERIFY(std::ranges::is_sorted(grid.keys.span()));
            const auto firsts =
                firstPoints({grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()}, {});
            const auto order = orderByFirstPoint(firsts.span());
            for (std::size_t i = 0; i < order.size(); ++i) {
                QCOMPARE(grid.keys[order[i]], expected.keys[i]);
                QCOMPARE(grid.counts[order[i]], expected.counts[i]);
                QCOMPARE(firsts[order[i]], expected.firsts[i]);
            }
            std::uint64_t points = 0;
            for (const std::uint32_t voxel : grid.pointVoxel.span())
                points += voxel == kNoVoxel ? 0 : 1;
            QCOMPARE(points,
                     std::accumulate(grid.counts.span().begin(), grid.counts.span().end(), std::uint64_t{0}));
        }
    }
    void meansStayWithTheirVoxels() {
        const Cloud cloud = streetCloud(50'000, 6);
        const PointsView points{cloud.positions.data(), cloud.positions.size(), {}};
        const VoxelGrid whole = cpu::voxelize(points, streetParams(0.4f), {});
        VoxelGrid part = cpu::voxelize(points, streetParams(0.4f), {});
        keepFirstVoxels(part, 1000, {});
        QCOMPARE(part.size(), std::size_t{1000});
        for (std::size_t voxel = 0; voxel < part.size(); ++voxel) {
            const auto at = std::ranges::lower_bound(whole.keys.span(), part.keys[voxel]);
            const auto same = std::size_t(at - whole.keys.span().begin());
            for (std::size_t c = 0; c < 3; ++c)
                QCOMPARE(part.mean(c)[voxel], whole.mean(c)[same]);
        }
    }
    void backendsGiveTheSameBytes() {
        if (const std::string why = whyNot("cuda"); !why.empty())
            QSKIP(why.c_str());
        const Stream stream;
        const Execution host{std::nullopt, {}}, device{stream, {}};
        const Cloud cloud = streetCloud(300'000, 7);
        for (const std::uint32_t pointsPerVoxel : {0u, 5u}) {
            VoxelizeParams params = streetParams(0.1f);
            params.maxPointsPerVoxel = pointsPerVoxel;
            VoxelGrid a = madeOn("cpu", cloud, params, host), b = madeOn("cuda", cloud, params, device);
            keepFirstVoxels(a, 20'000, host);
            keepFirstVoxels(b, 20'000, device);
            QCOMPARE(difference(a, b.download(stream), true), std::string());
        }
    }
    void featuresAreRefused() {
        Cloud cloud = streetCloud(1000, 8);
        cloud.singles = {std::vector<float>(1000, 1.0f)};
        const auto features = featureViews(cloud);
        VoxelGrid grid = cpu::voxelize({cloud.positions.data(), 1000, features}, streetParams(0.4f), {});
        QVERIFY_EXCEPTION_THROWN(keepFirstVoxels(grid, 1, {}), Fault);
    }
};

SCANLOUPE_TEST(TestVoxelOrder)
#include "test_voxel_order.moc"
