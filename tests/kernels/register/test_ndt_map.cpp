// Maps of cells, compared with plain sums over the points of each cell.
#include "kernels/register/ndt/ndt_cell.h"
#include "tests/kernels/register/ndt_test_support.h"
#include "tests/support/time_limits.h"

#include <map>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

std::vector<Vec3f> yardPoints(std::size_t count, std::mt19937_64& random) {
    return toFloat(sample(yard(), count, 0.02, random));
}

/// Means and counts by cell, from the textbook's formula.
struct PlainCell {
    std::vector<Vec3d> points;
    Vec3d mean() const {
        Vec3d sum;
        for (const Vec3d p : points)
            sum += p;
        return sum / double(points.size());
    }
};
using PlainMap = std::map<std::tuple<int, int, int>, PlainCell>;

/// The expected cells of the points, in the map's frame.
PlainMap plainMap(const NdtMap& map, const std::vector<Vec3f>& points, Vec3d origin,
                  const RigidTransform& pose) {
    PlainMap plain;
    for (const Vec3f p : points) {
        if (!isFinite(p))
            continue;
        const Vec3d x = pose(origin + p.as<double>()) - map.origin(), place = x / map.params().resolution;
        plain[{int(std::floor(place.z)), int(std::floor(place.y)), int(std::floor(place.x))}]
            .points.push_back(x);
    }
    return plain;
}

/// Differences between the cells of two maps: means in metres, inverse covariances relative.
double difference(const NdtMap& a, const NdtMap& b) {
    if (a.cells().size() != b.cells().size())
        return HUGE_VAL;
    double worst = 0;
    for (std::size_t i = 0; i < a.cells().size(); ++i) {
        const NdtCell &x = a.cells()[i], &y = b.cells()[i];
        if (x.count != y.count || !(a.cellPlace(i) == b.cellPlace(i)))
            return HUGE_VAL;
        worst = std::max(worst, norm(x.mean - y.mean));
        for (std::size_t k = 0; k < 6; ++k)
            worst = std::max(worst, std::abs(x.inverse[k] - y.inverse[k]) * x.deviations.x * x.deviations.x);
    }
    return worst;
}
bool sameBits(const NdtMap& a, const NdtMap& b) {
    return a.origin() == b.origin() && difference(a, b) == 0;
}

} // namespace

class TestNdtMap : public QObject {
    Q_OBJECT
private slots:
    void againstPlainSums() {
        auto random = seededRandom("againstPlainSums");
        for (const double resolution : {0.5, 1.0, 2.0, 3.7}) {
            NdtMapParams params;
            params.resolution = resolution;
            const auto points = yardPoints(30000, random);
            const RigidTransform pose = randomPose(random, 30, 3);
            NdtMap map(params);
            map.add(points, {5, 6, 7}, pose, {});
            const PlainMap plain = plainMap(map, points, {5, 6, 7}, pose);
            QCOMPARE(map.points(), std::uint64_t{30000});
            std::size_t next = 0;
            for (const auto& [place, cell] : plain) { // ordered by z, y, x, as the keys are
                const auto [z, y, x] = place;
                if (cell.points.size() < 6) {
                    QCOMPARE(map.find({x, y, z}), kNoCell);
                    continue;
                }
                QCOMPARE(map.find({x, y, z}), std::uint32_t(next));
                QVERIFY(map.cellPlace(next) == (Vec3i{x, y, z}));
                const NdtCell& found = map.cells()[next++];
                QCOMPARE(std::size_t{found.count}, cell.points.size());
                QVERIFY(norm(found.mean - cell.mean()) < 1e-12);
                double trace = 0, expected = 0;
                for (const Vec3d p : cell.points)
                    expected += squaredNorm(p - cell.mean()) / double(cell.points.size() - 1);
                for (int k = 0; k < 3; ++k)
                    trace += found.deviations[k] * found.deviations[k];
                // flat cells, whose smallest eigenvalue was raised
                QVERIFY(trace > expected * (1 - 1e-9) && trace < expected * 1.02 + 1e-12);
            }
            QCOMPARE(next, map.cells().size());
            QCOMPARE(map.find({1 << 20, 0, 0}), kNoCell);
            QCOMPARE(map.find({0, -(1 << 20) - 1, 0}), kNoCell);
        }
    }
    void scanAfterScanIsAllAtOnce() {
        auto random = seededRandom("scanAfterScanIsAllAtOnce");
        const auto points = yardPoints(20000, random);
        const NdtMap whole = mapOf(points);
        NdtMap grown{NdtMapParams{}};
        for (std::size_t begin = 0; begin < points.size(); begin += 1700)
            grown.add(std::span(points).subspan(begin, std::min<std::size_t>(1700, points.size() - begin)),
                      {}, {}, {});
        QCOMPARE(grown.points(), whole.points());
        QVERIFY(sameBits(grown, whole)); // both maps add the same terms in the same order
        NdtMap reversed{NdtMapParams{}};
        reversed.add(std::span(points).subspan(9000), {}, {}, {});
        reversed.add(std::span(points).first(9000), {}, {}, {});
        QVERIFY(norm(reversed.origin() - whole.origin()) < 60);
        QCOMPARE(reversed.cells().size(), whole.cells().size());
    }
    void ordersOfPointsDifferByRounding() {
        auto random = seededRandom("ordersOfPointsDifferByRounding");
        auto points = yardPoints(20000, random);
        const NdtMap before = mapOf(points);
        const Vec3f first = points[0];
        // the first point stays, because it sets the origin
        std::shuffle(points.begin() + 1, points.end(), random);
        QVERIFY(points[0] == first);
        const NdtMap after = mapOf(points);
        const double apart = difference(before, after);
        QVERIFY2(apart > 0 && apart < 1e-11, qPrintable(QString::number(apart)));
    }
    void repeatsBitByBit() {
        auto random = seededRandom("repeatsBitByBit");
        const auto points = yardPoints(50000, random);
        const RigidTransform pose = randomPose(random, 10, 1);
        NdtMap first{NdtMapParams{}};
        first.add(points, {}, pose, {});
        for (int round = 0; round < 5; ++round) {
            NdtMap again{NdtMapParams{}};
            again.add(points, {}, pose, {});
            QVERIFY(sameBits(first, again));
        }
    }
    void farFromTheOrigin() {
        auto random = seededRandom("farFromTheOrigin");
        const auto points = yardPoints(20000, random);
        const Vec3d far{90000, -90000, 1000};
        NdtMap near{NdtMapParams{}}, there{NdtMapParams{}}, posed{NdtMapParams{}};
        near.add(points, {}, {}, {});
        there.add(points, far, {}, {});
        RigidTransform shift;
        shift.translation = far;
        posed.add(points, {}, shift, {});
        QVERIFY(sameBits(there, posed));
        QVERIFY(there.origin() == near.origin() + far);
        // with full coordinates of 90 km, single precision would only have a resolution of 8 mm
        QVERIFY(difference(near, there) < 1e-12);
    }
    void pointsThatAreNoNumbers() {
        auto random = seededRandom("pointsThatAreNoNumbers");
        const auto points = yardPoints(5000, random);
        std::vector<Vec3f> mixed{{kNan, 0, 0}};
        for (std::size_t i = 0; i < points.size(); ++i) {
            mixed.push_back(points[i]);
            if (i % 3 == 0)
                mixed.push_back({0, kNan, 0});
            if (i % 7 == 0)
                mixed.push_back({0, 0, -HUGE_VALF});
        }
        const NdtMap clean = mapOf(points), found = mapOf(mixed);
        QVERIFY(sameBits(clean, found));
        QCOMPARE(found.points(), clean.points());
        const NdtMap none = mapOf({{kNan, 0, 0}, {0, HUGE_VALF, 0}});
        QCOMPARE(none.points(), std::uint64_t{0});
        QVERIFY(none.cells().empty());
    }
    void fewPoints() {
        std::vector<Vec3f> points{{0.1f, 0.1f, 0.1f},
                                  {0.9f, 0.2f, 0.1f},
                                  {0.5f, 0.9f, 0.3f},
                                  {0.2f, 0.7f, 0.8f},
                                  {0.6f, 0.5f, 0.4f}};
        QVERIFY(mapOf(points).cells().empty()); // five points are too few for a cell
        points.push_back({0.3f, 0.3f, 0.6f});
        QCOMPARE(mapOf(points).cells().size(), std::size_t{1});
        QVERIFY(mapOf({}).cells().empty());
        QCOMPARE(mapOf({}).find({0, 0, 0}), kNoCell);
    }
    void refusals() {
        const auto refused = [](auto&& call) {
            try {
                call();
            } catch (const KernelError& error) {
                return std::string(error.what()).size() > 10 && !error.nextStep().empty();
            }
            return false;
        };
        for (const double bad : {0.0, -1.0, double(kNan), HUGE_VAL}) {
            NdtMapParams params;
            params.resolution = bad;
            QVERIFY(refused([&] { NdtMap{params}; }));
            params = {};
            params.leastRatio = bad;
            QVERIFY(refused([&] { NdtMap{params}; }));
        }
        NdtMapParams params;
        params.minPoints = 2;
        QVERIFY(refused([&] { NdtMap{params}; }));
        NdtMap map{NdtMapParams{}};
        RigidTransform bad;
        bad.translation.y = double(kNan);
        const std::vector<Vec3f> point{{0, 0, 0}};
        QVERIFY(refused([&] { map.add(point, {}, bad, {}); }));
        QVERIFY(refused([&] { map.add(point, {0, double(kNan), 0}, {}, {}); }));
        QVERIFY(refused([&] { map.add(std::vector<Vec3f>{{0, 0, 0}, {3e6f, 0, 0}}, {}, {}, {}); }));
        QCOMPARE(map.points(), std::uint64_t{0}); // the map is unchanged
        map.add(std::vector<Vec3f>{{0, 0, 0}, {2e6f, 0, 0}}, {}, {}, {});
        QCOMPARE(map.points(), std::uint64_t{2});
    }
    void stoppedLeavesItAsItWas() {
        auto random = seededRandom("stoppedLeavesItAsItWas");
        const auto points = yardPoints(200'000, random);
        NdtMap map = mapOf(yardPoints(5000, random));
        const NdtMap before = map;
        std::stop_source source;
        source.request_stop();
        QVERIFY_THROWS_EXCEPTION(Cancelled, map.add(points, {}, {}, source.get_token()));
        QVERIFY(sameBits(map, before) && map.points() == before.points());
    }
    void cellsNearAPlaceStay() {
        auto random = seededRandom("cellsNearAPlaceStay");
        const RigidTransform pose = fromRollPitchYaw({0, 0, 0.3}, {500, -200, 3});
        const auto points = yardPoints(50'000, random), more = yardPoints(50'000, random);
        NdtMap all = mapOf({});
        all.add(points, {}, pose, {});
        const Vec3d place = pose({2, 1, 0}), corner{0.5, 0.5, 0.5};
        const double radius = 6, edge = all.params().resolution;
        const auto isNear = [&](Vec3i cell) {
            return norm(all.origin() + (cell.as<double>() + corner) * edge - place) <= radius;
        };
        NdtMap some = all;
        some.keepNear(place, radius);
        QVERIFY(some.origin() == all.origin());
        QVERIFY(some.bytes() < all.bytes());
        const auto check = [&] {
            std::size_t next = 0;
            for (std::size_t i = 0; i < all.cells().size(); ++i) {
                const Vec3i cell = all.cellPlace(i);
                if (!isNear(cell)) {
                    QCOMPARE(some.find(cell), kNoCell);
                    continue;
                }
                QCOMPARE(some.find(cell), std::uint32_t(next));
                QVERIFY(some.cellPlace(next) == cell);
                QVERIFY(some.cells()[next].mean == all.cells()[i].mean);
                QVERIFY(some.cells()[next].inverse == all.cells()[i].inverse);
                ++next;
            }
            QCOMPARE(some.cells().size(), next);
            QVERIFY(next > 10 && next < all.cells().size() / 2);
        };
        check();
        all.add(more, {}, pose, {}); // the maps still accept points
        some.add(more, {}, pose, {});
        some.keepNear(place, radius);
        check();
        some.keepNear(place + Vec3d{1000, 0, 0}, radius);
        QVERIFY(some.cells().empty());
        some.add(points, {}, pose, {});
        NdtMap again = mapOf({});
        again.add(points, {}, pose, {});
        QVERIFY(sameBits(some, again));
    }
    void keysKeepTheirOrder() {
        auto random = seededRandom("keysKeepTheirOrder");
        std::uniform_int_distribution<int> any(-(1 << 20), (1 << 20) - 1);
        for (int round = 0; round < 10000; ++round) {
            const Vec3i a{any(random), any(random), any(random)}, b{any(random), any(random), any(random)};
            QVERIFY(ndtCellOfKey(ndtKey(a)) == a);
            QCOMPARE(ndtKey(a) < ndtKey(b), std::tuple(a.z, a.y, a.x) < std::tuple(b.z, b.y, b.x));
        }
    }
};

SCANLOUPE_TEST(TestNdtMap)
#include "test_ndt_map.moc"
