// The device's arithmetic, run on the host, compared with the double-precision oracle. Other tests compare
// the device with the host.
#include "tests/kernels/register/ndt_float_host.h"
#include "tests/kernels/register/ndt_test_support.h"

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

/// A map, a scan of `count` points and a pose some `off` metres from the true one.
struct Scene {
    NdtMap map;
    std::vector<Vec3f> scan;
    RigidTransform pose;
};
Scene makeScene(std::mt19937_64& random, double resolution, std::size_t count, Vec3d far = {},
                double off = 0.2) {
    NdtMapParams params;
    params.resolution = resolution;
    NdtMap map(params);
    map.add(toFloat(sample(yard(), 100'000, 0.02, random)), far, {}, {});
    RigidTransform truth = fromRollPitchYaw({0.02, -0.03, 0.7}, {3, -2, 1.6});
    std::vector<Vec3f> scan = seenFrom(truth, sample(yard(), count, 0.02, random), 100);
    RigidTransform start = randomPose(random, 0, 0.1 * off) * truth;
    start.translation = truth.translation + randomPose(random, off, 0).translation + far;
    return {std::move(map), std::move(scan), start};
}

} // namespace

class TestNdtFloat : public QObject {
    Q_OBJECT
private slots:
    void exponential() {
        double worst = 0;
        for (int i = 0; i <= 600'000; ++i) {
            const float x = -60.0f * float(i) / 600'000;
            const double expected = std::exp(double(x));
            worst = std::max(worst, std::abs(double(ndtExp(x)) - expected) / expected);
        }
        std::printf("exp: %.3g of itself\n", worst);
        QVERIFY(worst < 1.3e-7);
        QCOMPARE(ndtExp(0), 1.0f);
    }
    void sinesAndCosines() {
        double near = 0, far = 0;
        for (int i = -5000; i <= 5000; ++i) {
            double sine, cosine;
            const double a = i * 1e-4;
            sineCosine(a, sine, cosine);
            near = std::max({near, std::abs(sine - std::sin(a)), std::abs(cosine - std::cos(a))});
            sineCosineFar(8 * a, sine, cosine);
            far = std::max({far, std::abs(sine - std::sin(8 * a)), std::abs(cosine - std::cos(8 * a))});
        }
        std::printf("sine and cosine: %.3g, beyond half a radian %.3g\n", near, far);
        QVERIFY(near < 3e-16 && far < 1e-14);
        // poses moved with these functions stay rotations
        const RigidTransform turned = moved({}, {0, 0, 0, 2.5, -1.2, 3});
        const RigidTransform expected = fromRollPitchYaw({2.5, -1.2, 3}, {});
        for (int i = 0; i < 3; ++i)
            QVERIFY(norm(turned.rows[i] - expected.rows[i]) < 1e-14);
    }
    void placesAtTheEndsOfWhatThereIs() {
        NdtTableView view;
        view.unitsPerMetre = kNdtUnits / 2.0; // cells of 2 m
        const double reach = 2.0 * kNdtReach, inf = std::numeric_limits<double>::infinity();
        NdtPlace place;
        const auto at = [&](double x, double y, double z) {
            RigidTransform pose;
            pose.translation = {x, y, z};
            return ndtPlace(view, pose, Vec3d{}, place);
        };
        QVERIFY(at(-reach, reach - 1e-8, 3));
        QVERIFY((place.cell == Vec3i{-kNdtReach, kNdtReach - 1, 1}));
        QVERIFY((place.inside == Vec3i{0, kNdtUnits - 3, kNdtUnits / 2}));
        QVERIFY(at(-1e-8, 0, 1e-9)); // the last coordinate is less than half a unit
        QVERIFY((place.cell == Vec3i{-1, 0, 0}));
        QVERIFY((place.inside == Vec3i{kNdtUnits - 3, 0, 0}));
        // for these values, adding 1.5 * 2^52 loses the value or gives NaN
        const double unit = 1 / view.unitsPerMetre;
        for (const double x :
             {reach, -reach - 1e-8, std::numeric_limits<double>::quiet_NaN(), inf, 1e300, 1e18, 3e-9 * 1e18,
              std::ldexp(unit, 51), std::ldexp(unit, 52), std::ldexp(unit, 53), 1.5 * std::ldexp(unit, 52),
              2.5 * std::ldexp(unit, 52), 3 * std::ldexp(unit, 52), std::ldexp(unit, 60)})
            for (const double sign : {1, -1}) {
                const double there = x == -reach - 1e-8 ? x : sign * x;
                if (there == -reach)
                    continue; // the first one within reach
                for (int axis = 0; axis < 3; ++axis)
                    QVERIFY2(!at(axis == 0 ? there : 0, axis == 1 ? there : 0, axis == 2 ? there : 0),
                             qPrintable(QString::number(there)));
            }
    }
    void pointsInOrder() {
        auto random = seededRandom("pointsInOrder");
        std::vector<Vec3f> points = toFloat(sample(yard(), 3000, 0.02, random));
        points[7].y = std::numeric_limits<float>::quiet_NaN();
        points.push_back(points[5]);
        const std::vector<std::uint32_t> order = ndtOrder(points);
        std::vector<bool> seen(points.size());
        double before = 0, after = 0;
        for (std::size_t i = 0; i < order.size(); ++i) {
            QVERIFY(!seen[order[i]]);
            seen[order[i]] = true;
            if (i == 0 || i + 1 == order.size() || i == 7 || i == 8)
                continue;
            before += double(norm(points[i] - points[i - 1]));
            after += double(norm(points[order[i]] - points[order[i - 1]]));
        }
        QCOMPARE(order.back(), 7u);
        QVERIFY(after < 0.25 * before);
        QVERIFY(ndtOrder({}).empty());
        QCOMPARE(ndtOrder(std::vector<Vec3f>(3, {1, 1, 1})), (std::vector<std::uint32_t>{0, 1, 2}));
    }
    void tableFindsItsCells() {
        QCOMPARE(ndtBucketCount(0), std::uint64_t{4});
        QCOMPARE(ndtBucketCount(100), std::uint64_t{128});
        for (const std::uint64_t cells : {0, 1, 2, 3, 4, 7, 8, 1000})
            QVERIFY(std::uint64_t{1} << ndtIndexBits(cells) > cells);
        QCOMPARE(sizeof(NdtSlot), std::size_t{48});
        auto random = seededRandom("tableFindsItsCells");
        const Scene scene = makeScene(random, 1, 100);
        const HostTable table(scene.map, NdtNeighbours::direct1, 0.55);
        for (std::uint32_t i = 0; i < scene.map.cells().size(); ++i) {
            const NdtSlot* slot = ndtFind(table.view(), ndtKey(scene.map.cellPlace(i)));
            QVERIFY(slot && slot->cell == i);
            for (int axis = 0; axis < 3; ++axis)
                QVERIFY(slot->mean[axis] >= 0 && slot->mean[axis] <= kNdtUnits);
        }
        QVERIFY(!ndtFind(table.view(), ndtKey({5000, 1, 1})));
    }
    void fullBuckets() { // overflowing entries are found in the following buckets, wrapping around at the end
        auto random = seededRandom("fullBuckets");
        std::vector<NdtCell> cells(40);
        std::vector<Vec3i> places;
        std::uniform_int_distribution<int> any(-1000, 1000);
        const std::uint64_t mask = ndtBucketCount(cells.size()) - 1;
        while (places.size() < cells.size()) { // all of these cells hash to the last bucket
            const Vec3i place{any(random), any(random), any(random)};
            if ((ndtHash(ndtKey(place)) & mask) == mask && std::ranges::find(places, place) == places.end())
                places.push_back(place);
        }
        const NdtTable table = ndtTable(cells, 1, [&](std::uint32_t i) { return places[i]; });
        const NdtTableView view = ndtTableView(table.buckets.data(), table.cellSlots.data(), cells.size(), 1,
                                               NdtNeighbours::direct1, 0.55);
        for (std::uint32_t i = 0; i < cells.size(); ++i) {
            const NdtSlot* slot = ndtFind(view, ndtKey(places[i]));
            QVERIFY(slot && slot->cell == i);
        }
        QVERIFY(!ndtFind(view, ndtKey({5000, 1, 1})));
    }
    void totalsAgainstTheOracle_data() {
        QTest::addColumn<double>("resolution");
        QTest::addColumn<int>("points");
        QTest::addColumn<double>("far");
        QTest::newRow("thousand points") << 1.0 << 1000 << 0.0;
        QTest::newRow("five thousand") << 2.0 << 5000 << 0.0;
        QTest::newRow("thirty thousand") << 2.0 << 30'000 << 0.0;
        QTest::newRow("90 km away") << 2.0 << 5000 << 90000.0;
        QTest::newRow("narrow cells") << 0.5 << 5000 << 0.0;
        QTest::newRow("hundred thousand") << 1.0 << 100'000 << 0.0;
    }
    void totalsAgainstTheOracle() { // errors divided by the sum of the terms' absolute values
        QFETCH(double, resolution);
        QFETCH(int, points);
        QFETCH(double, far);
        auto random = seededRandom("totalsAgainstTheOracle");
        double worst = 0;
        for (int round = 0; round < (points > 10'000 ? 1 : 3); ++round) {
            const Scene scene = makeScene(random, resolution, std::size_t(points), {far, -far, 0});
            for (int n = 0; n < 3; ++n) {
                NdtParams params;
                params.neighbours = NdtNeighbours(n);
                params.pointScores = true;
                const NdtResult oracle = cpu::scoreNdt(scene.map, {scene.scan, {}}, scene.pose, params, {});
                const NdtSpread spread = ndtSpread(scene.scan, {});
                const NdtFrame frame{scene.map.origin(), spread.middle};
                const HostTable table(scene.map, params.neighbours, params.outlierRatio);
                std::array<double, kNdtTerms> sizes{};
                const NdtTotals found =
                    hostTotals(table.view(), scene.scan, spread.middle, frame.toLocal(scene.pose), &sizes);
                const auto compare = [&](int term, double expected) {
                    worst =
                        std::max(worst, std::abs(found.terms[term] - expected) / sizes[std::size_t(term)]);
                };
                compare(0, oracle.score);
                for (int i = 0; i < 6; ++i) {
                    compare(1 + i, oracle.geometry.gradient[std::size_t(i)]);
                    for (int j = i; j < 6; ++j)
                        compare(NdtTotals::place(i, j), oracle.geometry.hessian[std::size_t(6 * i + j)]);
                }
                QCOMPARE(std::uint64_t(found.pointsWithCell()), oracle.pointsWithCell);
            }
        }
        std::printf("errors: %.3g of the sums of the terms' sizes\n", worst);
        QVERIFY(worst < 1e-6);
    }
    /// Compares poses after several iterations, and at the end of a fine alignment. The first start near the
    /// truth: farther away, a point that crosses a cell's border a nanometre earlier changes a step by some
    /// micrometres.
    void posesAgainstTheOracle() {
        auto random = seededRandom("posesAgainstTheOracle");
        for (const double far : {0.0, 90000.0}) {
            for (int round = 0; round < 4; ++round) {
                const Scene scene =
                    makeScene(random, round % 2 ? 1 : 2, 4000, {far, far, 0}, round < 2 ? 0.02 : 0.2);
                NdtParams params;
                params.epsilon = 1e-8;
                if (round < 2)
                    params.maxIterations = 5;
                const NdtResult oracle = cpu::alignNdt(scene.map, {scene.scan, {}}, scene.pose, params, {});
                const HostAlignment found = hostAlign(scene.map, {scene.scan, {}}, scene.pose, params, 1e-8);
                const PoseError error = errorOf(found.pose, oracle.pose);
                std::printf("%d and %d iterations: %.3g m, %.3g rad apart\n", oracle.iterations,
                            found.iterations, error.metres, error.degrees / 57.29578);
                QVERIFY2(error.metres < 1e-6 && error.degrees / 57.29578 < 1e-6, text(error).c_str());
            }
        }
    }
    void pointsThatAreNoNumbers() {
        auto random = seededRandom("pointsThatAreNoNumbers");
        Scene scene = makeScene(random, 1, 500);
        const HostTable table(scene.map, NdtNeighbours::direct7, 0.55);
        const RigidTransform local = NdtFrame{scene.map.origin(), {}}.toLocal(scene.pose);
        const NdtTotals clean = hostTotals(table.view(), scene.scan, {}, local);
        for (int i = 0; i < 20; ++i)
            scene.scan.push_back({std::numeric_limits<float>::quiet_NaN(), HUGE_VALF, 1});
        const NdtTotals mixed = hostTotals(table.view(), scene.scan, {}, local);
        QCOMPARE(mixed.score(), clean.score());
        QCOMPARE(mixed.pairs(), clean.pairs());
    }
};

SCANLOUPE_TEST(TestNdtFloat)
#include "test_ndt_float.moc"
