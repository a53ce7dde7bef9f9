// Features that only the device has: its maps, its launch variants, and reproducible bits. Skipped without a
// device.
#include "tests/kernels/register/ndt_backends.h"
#include "tests/kernels/register/ndt_float_host.h"
#include "tests/kernels/register/ndt_test_support.h"

#include <set>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A map, a scan and an approximate pose.
struct Scene {
    NdtMap map;
    std::vector<Vec3f> cloud; ///< the points of the map
    std::vector<Vec3f> scan;
    RigidTransform start;
};
Scene makeScene(std::mt19937_64& random, double resolution, std::size_t count, Vec3d far = {}) {
    NdtMapParams params;
    params.resolution = resolution;
    NdtMap map(params);
    std::vector<Vec3f> cloud = toFloat(sample(yard(), 100'000, 0.02, random));
    map.add(cloud, far, {}, {});
    const RigidTransform truth = fromRollPitchYaw({0.02, -0.03, 0.7}, {3, -2, 1.6});
    std::vector<Vec3f> scan = seenFrom(truth, sample(yard(), count, 0.02, random), 100);
    RigidTransform start = randomPose(random, 0, 0.02) * truth;
    start.translation = truth.translation + randomPose(random, 0.2, 0).translation + far;
    return {std::move(map), std::move(cloud), std::move(scan), start};
}

} // namespace

class TestNdtDevice : public QObject {
    Q_OBJECT

    /// Compares the scores of a scan at its pose with those of the host, for a map with cells of 1 m.
    void compareWithTheHost(const std::vector<Vec3f>& cloud, const std::vector<Vec3f>& scan,
                            std::size_t cells, double leastWithCell) {
        NdtMapParams edge;
        edge.resolution = 1;
        NdtMap map(edge);
        map.add(cloud, {}, {}, {});
        QCOMPARE(map.cells().size(), cells);
        const auto there = hostCopy(std::span<const Vec3f>(cloud)).copyTo(MemorySpace::device, stream());
        const cuda::NdtDeviceMap built(there, {}, {}, edge, {}, stream()), copied(map, stream());
        const cuda::NdtDeviceScan points({scan, {}}, {}, stream());
        const NdtSpread spread = ndtSpread(scan, {});
        for (const auto neighbours :
             {NdtNeighbours::direct1, NdtNeighbours::direct7, NdtNeighbours::direct27}) {
            NdtParams params;
            params.neighbours = neighbours;
            const HostTable table(map, neighbours, params.outlierRatio);
            const NdtTotals host = hostTotals(table.view(), scan, spread.middle,
                                              NdtFrame{map.origin(), spread.middle}.toLocal({}));
            QVERIFY(host.pointsWithCell() >= leastWithCell);
            for (const cuda::NdtDeviceMap* device : {&built, &copied}) {
                const NdtResult found = cuda::scoreNdt(*device, points, {}, params, {}, stream());
                QCOMPARE(double(found.pointsWithCell), host.pointsWithCell());
                QVERIFY(std::abs(found.score - host.score()) < 1e-9 * std::abs(host.score()));
            }
        }
    }
private slots:
    void initTestCase() {
        SCANLOUPE_NEEDS_CUDA();
        NdtBackend::current().take("cuda");
        m_stream.emplace();
    }
    void mapsEqualThoseOfTheHost() {
        auto random = seededRandom("mapsEqualThoseOfTheHost");
        for (const double resolution : {0.5, 2.0}) {
            for (int kind = 0; kind < 3; ++kind) {
                std::vector<Vec3f> points = toFloat(sample(yard(), 60'000, 0.02, random));
                points.insert(points.begin() + 500, {std::numeric_limits<float>::quiet_NaN(), 0, 0});
                const RigidTransform pose = randomPose(random, 20, 2);
                NdtMapParams params;
                params.resolution = resolution;
                params.covariance = NdtCovariance(kind);
                NdtMap host(params);
                host.add(points, {90000, 5, 6}, pose, {});
                const auto there =
                    hostCopy(std::span<const Vec3f>(points)).copyTo(MemorySpace::device, stream());
                const cuda::NdtDeviceMap device(there, {90000, 5, 6}, pose, params, {}, stream());
                const auto cells = device.cells(stream());
                const auto places = device.cellPlaces(stream());
                QCOMPARE(cells.size(), host.cells().size());
                QVERIFY(device.origin() == host.origin());
                for (std::size_t i = 0; i < cells.size(); ++i) {
                    const NdtCell& expected = host.cells()[i];
                    QVERIFY(places[i] == host.cellPlace(i));
                    QCOMPARE(cells[i].count, expected.count);
                    QVERIFY(norm(cells[i].mean - expected.mean) < 1e-11);
                    for (std::size_t k = 0; k < 6; ++k)
                        QVERIFY(std::abs(cells[i].inverse[k] - expected.inverse[k]) * expected.deviations.x *
                                    expected.deviations.x <
                                1e-8);
                }
                // a second map has the same bits
                const auto again =
                    cuda::NdtDeviceMap(there, {90000, 5, 6}, pose, params, {}, stream()).cells(stream());
                for (std::size_t i = 0; i < cells.size(); ++i)
                    QVERIFY(cells[i].mean == again[i].mean && cells[i].inverse == again[i].inverse);
            }
        }
    }
    void mapsOfLittle() {
        const auto build = [&](const std::vector<Vec3f>& points) {
            const auto there = hostCopy(std::span<const Vec3f>(points)).copyTo(MemorySpace::device, stream());
            return cuda::NdtDeviceMap(there, {}, {}, {}, {}, stream()).cellCount();
        };
        QCOMPARE(build({}), std::size_t{0});
        QCOMPARE(build({{1, 1, 1}}), std::size_t{0});
        QCOMPARE(build({{std::numeric_limits<float>::quiet_NaN(), 1, 1}}), std::size_t{0});
        QVERIFY_THROWS_EXCEPTION(KernelError, build({{0, 0, 0}, {3e6f, 0, 0}}));
    }
    void sumsEqualThoseOfTheHostBitByBit() { // both sum the same terms in the same order
        auto random = seededRandom("sumsEqualThoseOfTheHostBitByBit");
        for (const std::size_t count : {1, 31, 1000, 5000, 20'000, 100'000}) {
            const Scene scene = makeScene(random, 1, count);
            if (scene.scan.empty())
                continue;
            NdtParams params;
            params.maxIterations = 1;
            params.pointScores = false;
            const NdtSpread spread = ndtSpread(scene.scan, {});
            const NdtFrame frame{scene.map.origin(), spread.middle};
            const HostTable table(scene.map, params.neighbours, params.outlierRatio);
            const NdtTotals host =
                hostTotals(table.view(), scene.scan, spread.middle, frame.toLocal(scene.start));
            const NdtResult found =
                NdtBackend::current().score(scene.map, {scene.scan, {}}, scene.start, params);
            QCOMPARE(found.score, host.score());
            for (int i = 0; i < 6; ++i) {
                QCOMPARE(found.geometry.gradient[std::size_t(i)], host.gradient(i));
                for (int j = 0; j < 6; ++j)
                    QCOMPARE(found.geometry.hessian[std::size_t(6 * i + j)], host.hessian(i, j));
            }
        }
    }
    void fullBuckets() { // cells in buckets after their own are found, missing ones are not
        auto random = seededRandom("fullBuckets");
        std::uniform_int_distribution<int> any(-40, 40);
        std::normal_distribution<float> around(0.5f, 0.15f);
        std::vector<Vec3i> cells;
        while (cells.size() < 24) { // all these cells share one of 16 buckets, and one of 128 lists
            const Vec3i cell{any(random), any(random), any(random)};
            if ((ndtHash(ndtKey(cell)) & 127) == 127 && std::ranges::find(cells, cell) == cells.end())
                cells.push_back(cell);
        }
        std::set<std::uint64_t> listKeys;
        for (const Vec3i& cell : cells)
            for (int k = 0; k < NdtNeighbourList::kSlots; ++k)
                listKeys.insert(ndtKey(cell + ndtNeighbour(k)));
        QCOMPARE(ndtBucketCount(listKeys.size()), std::uint64_t{128});
        std::vector<Vec3f> cloud, scan;
        const auto inside = [&](int cell) { return float(cell) + std::clamp(around(random), 0.01f, 0.99f); };
        for (const Vec3i& cell : cells)
            for (int i = 0; i < 30; ++i)
                (i < 20 ? cloud : scan).push_back({inside(cell.x), inside(cell.y), inside(cell.z)});
        for (int i = 0; i < 500; ++i)
            scan.push_back({inside(any(random)), inside(any(random)), inside(any(random))});
        QCOMPARE(ndtBucketCount(cells.size()), std::uint64_t{16});
        compareWithTheHost(cloud, scan, cells.size(), 240);
    }
    void edgesOfTheReach() { // cells beyond this reach have keys that wrap around
        auto random = seededRandom("edgesOfTheReach");
        std::uniform_int_distribution<int> sixteenth(1, 14);
        std::vector<Vec3f> cloud, scan;
        const Vec3i cells[] = {{-kNdtReach, 1, 0}, {kNdtReach - 1, 0, 0}, {kNdtReach - 1, 1, 0}};
        const auto inside = [&](int cell) { return float(cell + sixteenth(random) / 16.0); };
        for (const Vec3i& cell : cells)
            for (int i = 0; i < 60; ++i)
                (i < 40 ? cloud : scan).push_back({inside(cell.x), inside(cell.y), inside(cell.z)});
        compareWithTheHost(cloud, scan, 3, 60);
    }
    void flatCellsAreNoNaN() { // the inverse of an exactly flat covariance overflows single precision
        auto random = seededRandom("flatCellsAreNoNaN");
        std::uniform_real_distribution<float> any(-10, 10);
        std::vector<Vec3f> cloud(20'000), scan(2000);
        for (Vec3f& p : cloud)
            p = {any(random), any(random), 0.25f};
        for (Vec3f& p : scan)
            p = {any(random), any(random), 0.25f + 0.001f * any(random)};
        NdtMapParams flat;
        flat.resolution = 1;
        flat.leastRatio = 1e-40;
        NdtMap map(flat);
        map.add(cloud, {}, {}, {});
        const NdtResult found = NdtBackend::current().score(map, {scan, {}}, {}, {});
        QVERIFY(std::isfinite(found.score));
        for (const double part : found.geometry.gradient)
            QVERIFY(std::isfinite(part));
    }
    void againstTheOracle() {
        auto random = seededRandom("againstTheOracle");
        for (const double far : {0.0, 90000.0}) {
            for (int n = 0; n < 3; ++n) {
                const Scene scene = makeScene(random, 2, 5000, {far, far, 0});
                NdtParams params;
                params.neighbours = NdtNeighbours(n);
                params.epsilon = 1e-8;
                params.maxIterations = n == 0 ? 5 : 50;
                const NdtResult oracle = cpu::alignNdt(scene.map, {scene.scan, {}}, scene.start, params, {});
                const NdtResult found =
                    NdtBackend::current().align(scene.map, {scene.scan, {}}, scene.start, params);
                const PoseError error = errorOf(found.pose, oracle.pose);
                QVERIFY2(error.metres < 1e-6 && error.degrees / 57.3 < 1e-6, text(error).c_str());
                QCOMPARE(found.geometry.degenerate, oracle.geometry.degenerate);
                for (std::size_t k = 0; k < 6; ++k)
                    QVERIFY(std::abs(found.geometry.eigenvalues[k] - oracle.geometry.eigenvalues[k]) <
                            1e-4 * oracle.geometry.eigenvalues[5]);
            }
        }
    }
    void allLaunchesGiveTheSameBits() {
        auto random = seededRandom("allLaunchesGiveTheSameBits");
        struct Case {
            std::size_t count;
            NdtNeighbours neighbours;
        };
        for (const auto& [count, neighbours] :
             {Case{700, NdtNeighbours::direct7}, Case{5000, NdtNeighbours::direct7},
              Case{3000, NdtNeighbours::direct7}, Case{30'000, NdtNeighbours::direct7},
              Case{100'000, NdtNeighbours::direct7}, Case{5000, NdtNeighbours::direct1},
              Case{5000, NdtNeighbours::direct27}}) {
            const Scene scene = makeScene(random, 1, count);
            NdtParams params;
            params.neighbours = neighbours;
            const cuda::NdtDeviceMap map(scene.map, stream());
            const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
            const NdtResult first = cuda::alignNdt(map, scan, scene.start, params, {}, {}, stream());
            QVERIFY(first.iterations > 0);
            std::vector<cuda::NdtLaunchBounds> launches;
            for (const unsigned blocks : {1U, 2U, 8U, 16U})
                for (const unsigned threads : {32U, 128U, 256U})
                    launches.push_back({threads, blocks});
            for (const unsigned blocks : {32U, 64U, 0U})
                for (const unsigned threads : {32U, 64U})
                    launches.push_back({threads, blocks});
            for (const cuda::NdtLaunchBounds& bounds : launches) {
                const NdtResult result = cuda::alignNdt(map, scan, scene.start, params, bounds, {}, stream());
                QVERIFY2(sameBits(first, result),
                         qPrintable(QString("%1 blocks of %2").arg(bounds.blocks).arg(bounds.threads)));
            }
            const std::vector<NdtJob> jobs(3, NdtJob{0, scene.start});
            const auto batch = cuda::alignNdtBatch(map, std::span(&scan, 1), jobs, params, {}, stream());
            for (const NdtResult& result : batch)
                QVERIFY(sameBits(first, result));
        }
    }
    void tenThousandTimes() {
        auto random = seededRandom("tenThousandTimes");
        const Scene scene = makeScene(random, 1, 1000);
        const cuda::NdtDeviceMap map(scene.map, stream());
        const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
        NdtParams params;
        params.pointScores = false;
        const NdtResult first = cuda::alignNdt(map, scan, scene.start, params, {}, {}, stream());
        for (int round = 0; round < 10'000; ++round)
            QVERIFY(sameBits(first, cuda::alignNdt(map, scan, scene.start, params, {}, {}, stream())));
    }
    void shapesThatCantBe() {
        auto random = seededRandom("shapesThatCantBe");
        const Scene scene = makeScene(random, 1, 500);
        const cuda::NdtDeviceMap map(scene.map, stream());
        const cuda::NdtDeviceScan scan({scene.scan, {}}, {}, stream());
        for (const unsigned threads : {7U, 16U, 96U, 512U})
            QVERIFY_THROWS_EXCEPTION(KernelError,
                                     cuda::alignNdt(map, scan, scene.start, {}, {threads, 0}, {}, stream()));
        QVERIFY_THROWS_EXCEPTION(KernelError,
                                 cuda::alignNdt(map, scan, scene.start, {}, {0, 24}, {}, stream()));
    }
    void cleanupTestCase() { m_stream.reset(); }

private:
    StreamView stream() { return m_stream->view(); }
    std::optional<Stream> m_stream;
};

SCANLOUPE_TEST(TestNdtDevice)
#include "test_ndt_device.moc"
