// One suite over every backend and strategy: the voxels of a cloud equal those of a plain loop, independent
// of anything else.
#include "kernels/core/error.h"
#include "kernels/voxelize/core/voxel_element.h"
#include "tests/kernels/voxelize/voxelize_support.h"
#include "tests/support/test_support.h"

#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <numeric>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {
const VoxelizeParams kStreet{{-54, -54, -5}, {54, 54, 3}, {0.2f, 0.2f, 0.2f}};

bool liesInRange(Vec3f p, const VoxelizeParams& params) {
    for (int axis = 0; axis < 3; ++axis)
        if (!(p[axis] >= params.rangeMin[axis] && p[axis] < params.rangeMax[axis]))
            return false;
    return true;
}
std::uint64_t sum(const Buffer<std::uint32_t>& counts) {
    return std::accumulate(counts.data(), counts.data() + counts.size(), std::uint64_t{0});
}
} // namespace

class TestVoxelize : public QObject {
    Q_OBJECT
private slots:
    ON_EACH_BACKEND(agreesWithAPlainLoop)
    ON_EACH_BACKEND(orderOfPointsDoesNotMatter)
    ON_EACH_BACKEND(sameBytesRunAfterRun)
    ON_EACH_BACKEND(realScan)
    ON_EACH_BACKEND(justBelowTheUpperEnd)
    ON_EACH_BACKEND(voxelsOfDetectors)
    ON_EACH_BACKEND(oneVoxelForAll)
    ON_EACH_BACKEND(hotVoxel)
    ON_EACH_BACKEND(noPoints)
    ON_EACH_BACKEND(notFinitePoints)
    ON_EACH_BACKEND(moreCellsThan32Bits)
    ON_EACH_BACKEND(gpsTime)
    ON_EACH_BACKEND(featuresNotFinite)
    ON_EACH_BACKEND(maxVoxels)
    ON_EACH_BACKEND(windowOfCells)
    ON_EACH_BACKEND(maxPointsPerVoxel)

    void bothBackendsGiveTheSameBytes() {
        SCANLOUPE_NEEDS_CUDA();
        for (const std::size_t n : {1u, 31u, 257u, 4099u, 300007u}) {
            for (const float size : {0.075f, 0.2f, 3.0f}) {
                VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {size, size, 0.2f}};
                params.maxPointsPerVoxel = n % 2 ? 10 : 0;
                params.maxVoxels = size > 1 ? 100 : 0;
                const Cloud cloud = streetCloud(n, n);
                QCOMPARE(
                    difference(voxelizeOn("cpu", cloud, params), voxelizeOn("cuda", cloud, params), true),
                    std::string());
            }
        }
    }

private:
    void agreesWithAPlainLoopOn(const QString& backend) {
        const Cloud cloud = streetCloud(200'003, 7);
        const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
        const auto expected = oracle(cloud, kStreet);
        QCOMPARE(grid.size(), expected.size());
        QCOMPARE(grid.featureCount, std::size_t{2});
        const double smallest = *std::min_element(cloud.singles[0].begin(), cloud.singles[0].end());
        std::size_t v = 0;
        for (const auto& [key, voxel] : expected) {
            QCOMPARE(grid.keys[v], key);
            QCOMPARE(std::uint64_t(grid.counts[v]), voxel.count);
            QCOMPARE(grid.shape.key(grid.shape.cell(key)), key);
            for (int axis = 0; axis < 3; ++axis) {
                const auto mean = double(voxel.sum[axis] / static_cast<long double>(voxel.count));
                QVERIFY2(std::abs(grid.mean(std::size_t(axis))[v] - mean) < 1e-5,
                         qPrintable(QString::number(key)));
            }
            double single = 0, time = 0;
            for (const std::size_t i : voxel.points) {
                QCOMPARE(std::size_t(grid.pointVoxel[i]), v);
                single += double(cloud.singles[0][i]);
                time += cloud.doubles[0][i] - cloud.doubles[0][0];
            }
            QVERIFY(std::abs(grid.mean(3)[v] - (single / double(voxel.count) - smallest)) < 1e-6);
            QVERIFY(std::abs(grid.mean(4)[v] - time / double(voxel.count)) < 1e-7);
            ++v;
        }
        const auto inRange = grid.stats.pointsInRange;
        QCOMPARE(sum(grid.counts), inRange);
        QVERIFY(inRange < cloud.positions.size()); // otherwise, the following lines would test nothing
        QCOMPARE(grid.stats.pointsOutside, cloud.positions.size() - inRange);
        QCOMPARE(std::size_t(std::count(grid.pointVoxel.data(),
                                        grid.pointVoxel.data() + grid.pointVoxel.size(), kNoVoxel)),
                 cloud.positions.size() - inRange);
        QVERIFY(grid.cost.wallMs > 0);
        QCOMPARE(grid.cost.bytes, grid.bytes());
    }
    /// A few cells of a grid with more than 2^32 cells: the voxels do not depend on intermediate indices.
    void windowOfCellsOn(const QString& backend) {
        auto random = seededRandom("windowOfCells");
        VoxelizeParams params{{-900, -700, -5}, {800, 900, 3}, {0.02f, 0.03f, 0.05f}};
        const GridShape whole = gridShape(params);
        QVERIFY(whole.cellCount() > std::uint64_t{1} << 32);
        const VoxelCells cells(params);
        const Vec3f corner{float(random() % 1000) - 500, float(random() % 1000) - 500, -4};
        Cloud cloud = streetCloud(100'000, random());
        for (Vec3f& p : cloud.positions)
            p = {corner.x + std::fmod(std::abs(p.x), 5.0f), corner.y + std::fmod(std::abs(p.y), 5.0f),
                 std::clamp(p.z, -4.5f, 2.5f)};
        cloud.positions[7] = {-2000, 0, 0}; // outside of the range
        Vec3i low = whole.dims, high{};
        for (const Vec3f p : cloud.positions)
            if (liesInRange(p, params)) {
                low = min(low, cells.cell(p));
                high = max(high, cells.cell(p) + Vec3i{1, 1, 1});
            }
        VoxelizeParams windowed = params;
        windowed.window = {low, high - low};
        params.strategy = VoxelizeStrategy::radixSort; // needs no memory for cells
        const VoxelGrid expected = voxelizeOn("cpu", cloud, params);
        const VoxelGrid grid = voxelizeOn(backend, cloud, windowed);
        QVERIFY(grid.size() > 10'000 && grid.shape == whole);
        QCOMPARE(difference(expected, grid, true), std::string());
        params.maxVoxels = windowed.maxVoxels = 777;
        if (accepts(backend, windowed))
            QCOMPARE(difference(voxelizeOn("cpu", cloud, params), voxelizeOn(backend, cloud, windowed), true),
                     std::string());
        windowed.window.dims.x = whole.dims.x + 1;
        QVERIFY_EXCEPTION_THROWN(voxelizeOn(backend, cloud, windowed), Fault);
    }
    void orderOfPointsDoesNotMatterOn(const QString& backend) {
        const Cloud cloud = streetCloud(150'000, 3);
        std::vector<std::size_t> order(cloud.positions.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        auto random = seededRandom("orderOfPointsDoesNotMatter");
        std::shuffle(order.begin(), order.end(), random);
        const VoxelGrid plain = voxelizeOn(backend, cloud, kStreet);
        const VoxelGrid shuffled = voxelizeOn(backend, cloud.reordered(order), kStreet);
        QCOMPARE(difference(plain, shuffled, false), std::string());
        for (std::size_t i = 0; i < order.size(); ++i)
            QCOMPARE(shuffled.pointVoxel[i], plain.pointVoxel[order[i]]);
    }
    void sameBytesRunAfterRunOn(const QString& backend) {
        VoxelizeParams params = kStreet;
        params.maxPointsPerVoxel = 3;
        if (!accepts(backend, params))
            params.maxPointsPerVoxel = 0;
        const Cloud cloud = streetCloud(20'000, 5);
        const VoxelGrid first = voxelizeOn(backend, cloud, params);
        for (int run = 0; run < 100; ++run)
            QCOMPARE(difference(first, voxelizeOn(backend, cloud, params), true), std::string());
    }
    void realScanOn(const QString& backend) {
        SCANLOUPE_REAL_SCAN(path, "sweeps/nuscenes_10sweep_ff9eff_f32.bin");
        const Cloud cloud = readKittiBin(path);
        const VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {0.075f, 0.075f, 0.2f}};
        const VoxelGrid grid = voxelizeOn(backend, cloud, params);
        QCOMPARE(grid.size(), std::size_t{105'086});
        QCOMPARE(grid.stats.pointsInRange, std::uint64_t{236'511});
        QCOMPARE(sum(grid.counts), std::uint64_t{236'511});
        QCOMPARE(grid.shape.dims, (Vec3i{1440, 1440, 40}));
        QCOMPARE(oracle(cloud, params).size(), grid.size());
    }
    /// 53.9999962 is in the range, but its quotient rounds to 540: outside of 540 voxels.
    void justBelowTheUpperEndOn(const QString& backend) {
        const float below = std::nextafter(54.0f, 0.0f), last = std::nextafter(below, 0.0f);
        const Cloud cloud{{{last, last, 2.999999f}, {below, 0, 0}, {54, 0, 0}, {-54, -54, -5}}, {}, {}};
        const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
        QCOMPARE(grid.shape.dims, (Vec3i{540, 540, 40}));
        QCOMPARE(grid.size(), std::size_t{2});
        QCOMPARE(grid.keys[0], std::uint64_t{0});
        QCOMPARE(grid.keys[1], grid.shape.cellCount() - 1);
        QCOMPARE(grid.pointVoxel[0], 1u);
        QCOMPARE(grid.pointVoxel[1], kNoVoxel);
        QCOMPARE(grid.pointVoxel[2], kNoVoxel);
        QCOMPARE(grid.stats.pointsOutside, std::uint64_t{2});
        QVERIFY(grid.mean(0)[1] <= 54.0f && grid.mean(0)[1] > 53.9999f);
        QCOMPARE(grid.mean(2)[0], -5.0f);
    }
    /// Random points, and the floating-point numbers next to faces of voxels, most of them at the ends of the
    /// range.
    void voxelsOfDetectorsOn(const QString& backend) {
        auto random = seededRandom("voxelsOfDetectors");
        for (const DetectorGrid& detector : detectorGrids()) {
            const VoxelizeParams& params = detector.params;
            if (!accepts(backend, params))
                continue;
            Cloud cloud;
            for (int i = 0; i < 3000; ++i) {
                Vec3f p;
                for (int axis = 0; axis < 3; ++axis) {
                    const float low = params.rangeMin[axis], size = params.voxelSize[axis];
                    const int cells = detector.dims[axis];
                    const auto face =
                        float(std::array{0, cells, int(random() % unsigned(cells))}[random() % 3]);
                    p[axis] = low + face * size;
                    if (random() % 2 == 0)
                        p[axis] = low + float(random() % 10'000) / 10'000 * float(cells) * size;
                    for (auto step = int(random() % 5); step > 0; --step)
                        p[axis] =
                            std::nextafter(p[axis], random() % 2 == 0 ? low - 1 : params.rangeMax[axis] + 1);
                }
                cloud.positions.push_back(p);
            }
            const VoxelGrid grid = voxelizeOn(backend, cloud, params);
            QVERIFY2(grid.shape.dims == detector.dims, detector.name);
            std::map<std::uint64_t, std::uint32_t> expected;
            for (const Vec3f p : cloud.positions) { // computes voxels like spconv, after a range filter
                Vec3i cell;
                bool isIn = liesInRange(p, params);
                for (int axis = 0; axis < 3; ++axis) {
                    cell[axis] = int(std::floor((p[axis] - params.rangeMin[axis]) / params.voxelSize[axis]));
                    isIn &= cell[axis] >= 0 && cell[axis] < detector.dims[axis];
                }
                if (isIn)
                    ++expected[grid.shape.key(cell)];
            }
            QCOMPARE(grid.size(), expected.size());
            std::size_t v = 0;
            for (const auto& [key, count] : expected) {
                QVERIFY2(grid.keys[v] == key && grid.counts[v] == count, detector.name);
                ++v;
            }
        }
    }
    void oneVoxelForAllOn(const QString& backend) {
        const Cloud cloud = streetCloud(70'000, 9);
        const VoxelGrid grid =
            voxelizeOn(backend, cloud, {{-100, -100, -100}, {100, 100, 100}, {500, 500, 500}});
        QCOMPARE(grid.size(), std::size_t{1});
        QCOMPARE(grid.shape.dims, (Vec3i{1, 1, 1}));
        QCOMPARE(grid.counts[0], 70'000u);
        const auto expected = oracle(cloud, {{-100, -100, -100}, {100, 100, 100}, {500, 500, 500}});
        QVERIFY(std::abs(grid.mean(0)[0] - double(expected.at(0).sum.x / 70'000)) < 1e-5);
    }
    void hotVoxelOn(const QString& backend) {
        Cloud cloud;
        cloud.positions.assign(3'000'000, Vec3f{1.3f, 2.7f, 0.1f});
        cloud.positions.push_back({20, 2, 1});
        const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
        QCOMPARE(grid.size(), std::size_t{2});
        QCOMPARE(sum(grid.counts), std::uint64_t{3'000'001});
        const std::size_t hot = grid.counts[0] == 1 ? 1 : 0;
        for (int axis = 0; axis < 3; ++axis) // a sum in single precision would be off by several percent
            QVERIFY(std::abs(grid.mean(std::size_t(axis))[hot] - cloud.positions[0][axis]) < 1e-6);
    }
    void noPointsOn(const QString& backend) {
        const VoxelGrid grid = voxelizeOn(backend, {}, kStreet);
        QCOMPARE(grid.size(), std::size_t{0});
        QCOMPARE(grid.stats, VoxelStats{});
        const VoxelGrid outside = voxelizeOn(backend, {{{100, 0, 0}}, {}, {}}, kStreet);
        QCOMPARE(outside.size(), std::size_t{0});
        QCOMPARE(outside.stats.pointsOutside, std::uint64_t{1});
        QCOMPARE(outside.pointVoxel[0], kNoVoxel);
    }
    void notFinitePointsOn(const QString& backend) {
        const float nan = std::nanf(""), inf = INFINITY;
        Cloud cloud{{{nan, 0, 0},
                     {0, nan, 0},
                     {0, 0, nan},
                     {inf, 0, 0},
                     {0, -inf, 0},
                     {1e30f, 0, 0},
                     {0, -1e30f, 0},
                     {1, 1, 1}},
                    {},
                    {}};
        const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
        QCOMPARE(grid.size(), std::size_t{1});
        QCOMPARE(grid.stats.pointsNotFinite, std::uint64_t{5});
        QCOMPARE(grid.stats.pointsOutside, std::uint64_t{2});
        QCOMPARE(grid.stats.pointsInRange, std::uint64_t{1});
    }
    void moreCellsThan32BitsOn(const QString& backend) {
        // 4096 x 4096 x 1024 = 2^34 cells; the key of the last point is 0xffffffff, an empty mark elsewhere
        const VoxelizeParams params{{0, 0, 0}, {4096, 4096, 1024}, {1, 1, 1}};
        if (!accepts(backend, params))
            QSKIP("this strategy is for fewer cells");
        const Cloud cloud{
            {{5, 5, 5}, {5, 5, 5 + 256}, {4095, 4095, 255}, {4095, 4095, 255.5f}, {4095, 4095, 1023}},
            {},
            {}};
        const VoxelGrid grid = voxelizeOn(backend, cloud, params);
        QCOMPARE(grid.size(), std::size_t{4});
        QCOMPARE(grid.keys[1], std::uint64_t{0xffffffff});
        QCOMPARE(grid.counts[1], 2u);
        // these would be the same voxel if keys wrapped at 32 bits
        QCOMPARE(grid.keys[2] - grid.keys[0], std::uint64_t{1} << 32);
        QCOMPARE(grid.keys[3], grid.shape.cellCount() - 1);
        const VoxelGrid widest = voxelizeOn(backend, {{{5, 5, 5}, {1e6f, 1e6f, 1e6f}}, {}, {}},
                                            {{0, 0, 0}, {2097152, 2097152, 2097152}, {1, 1, 1}});
        QCOMPARE(widest.shape.cellCount(), std::uint64_t{1} << 63);
        QCOMPARE(widest.size(), std::size_t{2});
        QCOMPARE(widest.mean(0)[1], 1e6f);
        // exactly 2^32 cells, where 0xffffffff is a valid key
        const VoxelGrid full = voxelizeOn(backend, {{{4095, 4095, 255}, {-1, 0, 0}, {0, 0, 0}}, {}, {}},
                                          {{0, 0, 0}, {4096, 4096, 256}, {1, 1, 1}});
        QCOMPARE(full.size(), std::size_t{2});
        QCOMPARE(full.keys[1], std::uint64_t{0xffffffff});
    }
    void gpsTimeOn(const QString& backend) {
        for (const double start : {3e5, 3e8}) {
            Cloud cloud;
            cloud.doubles.resize(1);
            double expected = 0;
            for (int i = 0; i < 1000; ++i) {
                cloud.positions.push_back({1, 1, 1});
                cloud.doubles[0].push_back(start + 1e-6 * i);
                expected += (cloud.doubles[0].back() - start) / 1000;
            }
            cloud.positions.push_back({10, 1, 1}); // the scan takes 100 s
            cloud.doubles[0].push_back(start + 100);
            const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
            QCOMPARE(grid.size(), std::size_t{2});
            QVERIFY2(std::abs(grid.mean(3)[0] - expected) < 3e-8,
                     qPrintable(QString::number(grid.mean(3)[0])));
            QVERIFY(std::abs(grid.mean(3)[1] - 100) < 1e-5);
        }
    }
    void featuresNotFiniteOn(const QString& backend) {
        const float nan = std::nanf("");
        const Cloud cloud{{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}, {90, 1, 1}},
                          {{nan, 4, 8, nan}, {5, 5, 5, 5}},
                          {{INFINITY, 1, 1, 3}}};
        const VoxelGrid grid = voxelizeOn(backend, cloud, kStreet);
        // only values of points that are averaged are counted
        QCOMPARE(grid.stats.featuresNotFinite, std::uint64_t{2});
        QVERIFY(std::abs(grid.mean(3)[0] - 4.0f / 3) < 1e-6f); // min is 4: 0, 0 and 4
        QCOMPARE(grid.mean(4)[0], 0.0f);                       // all values are equal
        QCOMPARE(grid.mean(5)[0], 0.0f);
    }
    void maxVoxelsOn(const QString& backend) {
        const Cloud cloud = streetCloud(100'000, 11);
        const VoxelGrid all = voxelizeOn(backend, cloud, kStreet);
        for (const std::size_t limit : {std::size_t{1}, all.size() / 3, all.size(), all.size() + 5}) {
            VoxelizeParams params = kStreet;
            params.maxVoxels = limit;
            const VoxelGrid some = voxelizeOn(backend, cloud, params);
            const std::size_t kept = std::min(limit, all.size());
            QCOMPARE(some.size(), kept);
            QVERIFY(std::memcmp(some.keys.data(), all.keys.data(), some.keys.bytes()) == 0);
            QVERIFY(std::memcmp(some.counts.data(), all.counts.data(), some.counts.bytes()) == 0);
            QVERIFY(std::memcmp(some.mean(4), all.mean(4), kept * sizeof(float)) == 0);
            QCOMPARE(some.stats.voxelsDropped, all.size() - kept);
            QCOMPARE(some.stats.pointsDroppedWithVoxels, all.stats.pointsInRange - sum(some.counts));
            for (std::size_t i = 0; i < cloud.positions.size(); ++i)
                QCOMPARE(some.pointVoxel[i], all.pointVoxel[i] < kept ? all.pointVoxel[i] : kNoVoxel);
        }
    }
    void maxPointsPerVoxelOn(const QString& backend) {
        const Cloud cloud = streetCloud(100'000, 13);
        VoxelizeParams params{{-54, -54, -5}, {54, 54, 3}, {5, 5, 5}, 0, 1};
        if (!accepts(backend, params))
            QSKIP("this strategy cannot determine the first points of a voxel");
        const auto expected = oracle(cloud, params);
        for (const std::uint32_t limit : {1u, 10u, 1000u}) {
            params.maxPointsPerVoxel = limit;
            const VoxelGrid grid = voxelizeOn(backend, cloud, params);
            QCOMPARE(grid.size(), expected.size());
            std::size_t v = 0;
            for (const auto& [key, voxel] : expected) {
                const std::size_t kept = std::min<std::size_t>(limit, voxel.points.size());
                QCOMPARE(std::size_t(grid.counts[v]), kept);
                double mean = 0;
                // the oracle stores points in input order
                for (std::size_t k = 0; k < voxel.points.size(); ++k) {
                    QCOMPARE(grid.pointVoxel[voxel.points[k]], k < kept ? std::uint32_t(v) : kNoVoxel);
                    if (k < kept)
                        mean += double(cloud.positions[voxel.points[k]].x) / double(kept);
                }
                QVERIFY(std::abs(grid.mean(0)[v] - mean) < 1e-5);
                ++v;
            }
            QCOMPARE(grid.stats.pointsDroppedInVoxels, grid.stats.pointsInRange - sum(grid.counts));
        }
        params.voxelSize = {500, 500, 500}; // one voxel, with more points than a core processes at once
        params.maxPointsPerVoxel = 40'000;
        const VoxelGrid one = voxelizeOn(backend, cloud, params);
        std::uint32_t kept = 0;
        for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
            const bool inRange = liesInRange(cloud.positions[i], params);
            QCOMPARE(one.pointVoxel[i], inRange && kept < params.maxPointsPerVoxel ? 0u : kNoVoxel);
            kept += inRange ? 1 : 0;
        }
        QCOMPARE(one.counts[0], 40'000u);
    }
};

SCANLOUPE_TEST(TestVoxelize)
#include "test_voxelize.moc"
