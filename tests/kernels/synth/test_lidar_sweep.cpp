// Sweeps of spinning lidars compared with closed forms: rings, walls, drop-outs, noise and motion.
#include "kernels/core/error.h"
#include "kernels/synth/lidar_sweep_element.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::synth;

namespace {

constexpr std::array kPlaces{Place::street, Place::corridor, Place::cluttered,
                             Place::racks,  Place::room,     Place::field};
constexpr double kDegree = kPi / 180;

/// A sweep without losses within range.
LidarSweep perfectSweep(const LidarModel& lidar, Vec3d at) {
    LidarSweep sweep;
    sweep.lidar = lidar;
    sweep.pose.translation = at;
    sweep.rangeNoise = 0;
    sweep.dropOuts = {0, 0, 1};
    return sweep;
}

SolidScene flatGround() {
    SolidScene scene;
    scene.planes.push_back({2, 0, 1});
    return scene;
}

std::uint64_t columnOf(const LidarModel& lidar, const ScanPoint& point) {
    return std::uint64_t(std::lround(double(point.time) / lidar.turnSeconds * lidar.columns - 0.5));
}

std::size_t ofRing(const std::vector<ScanPoint>& points, int ring) {
    return std::size_t(std::ranges::count_if(points, [&](const ScanPoint& p) { return p.ring == ring; }));
}

/// Whether a share of `n` trials is the expected one, within four standard deviations.
bool isShare(double count, double n, double expected) {
    return std::abs(count - n * expected) <= 4 * std::sqrt(n * expected * (1 - expected)) + 1e-9;
}

QByteArray text(double value) {
    return QByteArray::number(value, 'g', 10);
}

/// FNV-1a of the bits of all fields.
std::uint64_t checksumOf(const std::vector<ScanPoint>& points) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const ScanPoint& p : points)
        for (const float value :
             {p.position.x, p.position.y, p.position.z, p.intensity, p.time, float(p.ring), p.sensor.x,
              p.sensor.y, p.sensor.z, p.normal.x, p.normal.y, p.normal.z})
            hash = (hash ^ std::bit_cast<std::uint32_t>(value)) * 0x100000001b3ULL;
    return hash;
}

} // namespace

class TestLidarSweep : public QObject {
    Q_OBJECT

private slots:
    void anglesAreAsPublished() {
        const auto degrees = [](const LidarModel& lidar, int ring) {
            return lidar.elevation(ring) / kDegree;
        };
        const auto [vlp16, hdl32, hdl64, os1] = kLidarModels;
        QCOMPARE(vlp16.rings(), 16);
        QCOMPARE(hdl32.rings(), 32);
        QCOMPARE(hdl64.rings(), 64);
        QCOMPARE(os1.rings(), 128);
        for (int ring = 0; ring < 16; ++ring)
            QVERIFY(std::abs(degrees(vlp16, ring) - (-15 + 2 * ring)) < 1e-12);
        const auto lies = [&](const LidarModel& lidar, int ring, double expected) {
            return std::abs(degrees(lidar, ring) - expected) < 0.005;
        };
        QVERIFY(lies(hdl32, 0, -30.67) && lies(hdl32, 23, 0) && lies(hdl32, 31, 10.67));
        QVERIFY(lies(hdl64, 0, -24.33) && lies(hdl64, 31, -8.83) && lies(hdl64, 32, -8.33) &&
                lies(hdl64, 63, 2));
        QVERIFY(lies(os1, 0, -22.5) && lies(os1, 127, 22.5));
        for (const LidarModel& lidar : kLidarModels)
            for (int ring = 1; ring < lidar.rings(); ++ring)
                QVERIFY(lidar.elevation(ring) > lidar.elevation(ring - 1));
    }

    void ringsOnFlatGroundHaveTheirRadius() {
        for (const LidarModel& lidar : kLidarModels) {
            const double height = 1.73;
            const auto points = generateSweep(perfectSweep(lidar, {3, -2, height}), flatGround(), {});
            std::size_t expected = 0;
            for (int ring = 0; ring < lidar.rings(); ++ring) {
                const double range = height / std::sin(-lidar.elevation(ring));
                const bool isSeen = range > 0 && range <= lidar.farthest;
                QCOMPARE(ofRing(points, ring), isSeen ? std::size_t(lidar.columns) : 0);
                expected += isSeen ? std::size_t(lidar.columns) : 0;
            }
            QCOMPARE(points.size(), expected);
            for (const ScanPoint& p : points) {
                const double radius = height / std::tan(-lidar.elevation(p.ring));
                const double seen = std::hypot(double(p.position.x), double(p.position.y));
                QVERIFY2(std::abs(seen - radius) < 1e-5 * radius, text(seen - radius));
                QVERIFY(std::abs(double(p.position.z) + height) < 1e-5);
                QVERIFY(p.normal == (Vec3f{0, 0, 1}));
            }
        }
    }

    void corridorsAreAsWideAsTheyAreAndHaveNoEnd() {
        const SolidScene corridor = makePlace(Place::corridor, 1);
        LidarModel lidar = kLidarModels[1];
        lidar.columns = 900;
        const auto points = generateSweep(perfectSweep(lidar, {17, 0.2, 1.3}), corridor, {});
        std::size_t expected = 0;
        std::vector<double> ranges(lidar.rays());
        for (std::uint64_t i = 0; i < lidar.rays(); ++i) {
            const Vec3d d = rayDirection(lidar, i / 32, int(i % 32));
            const double wall = (d.y > 0 ? 1.0 : 1.4) / std::abs(d.y);
            const double level = (d.z > 0 ? 1.5 : 1.3) / std::max(std::abs(d.z), 1e-12);
            ranges[i] = std::min(wall, level);
            expected += ranges[i] >= lidar.nearest && ranges[i] <= lidar.farthest ? 1 : 0;
        }
        QCOMPARE(points.size(), expected);
        QVERIFY(points.size() < lidar.rays()); // along the corridor, no wall is in range
        for (const ScanPoint& p : points) {
            const double range = norm(p.position.as<double>());
            QVERIFY(std::abs(range - ranges[columnOf(lidar, p) * 32 + p.ring]) < 1e-5 * range);
        }
    }

    void rangesAreWithinTheSensorsLimits() {
        LidarSweep sweep = perfectSweep(kLidarModels[0], {0, 0, 1.2});
        sweep.lidar.nearest = 2;
        sweep.lidar.farthest = 10;
        sweep.rangeNoise = 0.05F;
        const auto points = generateSweep(sweep, makePlace(Place::corridor, 1), {});
        QVERIFY(points.size() > 1'000);
        for (const ScanPoint& p : points)
            QVERIFY(norm(p.position) > 1.9999F && norm(p.position) < 10.0001F);
    }

    void missingRaysAreMissing() {
        // Each point is on the ray of its ring and its column, without repetitions.
        for (const Place place : kPlaces)
            for (const std::uint64_t seed : {1, 8}) {
                LidarSweep sweep;
                sweep.lidar = kLidarModels[2];
                sweep.lidar.columns = 500;
                sweep.pose.translation.z = usualHeight(place);
                sweep.seed = seed;
                const auto points = generateSweep(sweep, makePlace(place, seed), {});
                QVERIFY2(points.size() > sweep.lidar.rays() / 5 && points.size() < sweep.lidar.rays(),
                         text(double(points.size())));
                std::uint64_t next = 0;
                for (const ScanPoint& p : points) {
                    const std::uint64_t column = columnOf(sweep.lidar, p), index = column * 64 + p.ring;
                    QVERIFY(index >= next);
                    next = index + 1;
                    const Vec3d direction = rayDirection(sweep.lidar, column, p.ring);
                    QVERIFY(norm(cross(direction, normalized(p.position.as<double>()))) < 1e-6);
                    QVERIFY(p.intensity >= 0 && p.intensity <= 1);
                }
            }
    }

    void aRayDependsOnItsIndexAlone() {
        LidarSweep sweep;
        sweep.lidar = kLidarModels[3];
        sweep.lidar.columns = 256;
        sweep.pose.translation.z = 1.8;
        const SolidScene street = makePlace(Place::street, 4);
        const auto points = generateSweep(sweep, street, {});
        QCOMPARE(checksumOf(points), checksumOf(generateSweep(sweep, street, {})));
        std::size_t next = 0;
        for (std::uint64_t i = 0; i < sweep.lidar.rays(); ++i) {
            ScanPoint point;
            if (castSweepRay(sweep, street.view(), i, point)) {
                QCOMPARE(checksumOf({point}), checksumOf({points[next]}));
                ++next;
            }
        }
        QCOMPARE(next, points.size());
    }

    void raysAreLostAtTheirRates() {
        for (const std::uint64_t seed : {1, 2, 3}) {
            LidarSweep sweep = perfectSweep(kLidarModels[0], {0, 0, 0.8});
            sweep.seed = seed;
            const double columns = sweep.lidar.columns;
            const auto count = [&](const DropOuts& dropOuts, const SolidScene& scene, int ring) {
                sweep.dropOuts = dropOuts;
                return double(ofRing(generateSweep(sweep, scene, {}), ring));
            };
            QVERIFY(isShare(count({0.3, 0, 1}, flatGround(), 0), columns, 0.7));
            // Ring 7 hits the ground at 1 degree, ring 6 at 3.
            const double sine = std::sin(kDegree) / std::sin(3 * kDegree);
            QVERIFY(isShare(count({0, 3 * kDegree, 1}, flatGround(), 7), columns, sine));
            QCOMPARE(count({0, 3 * kDegree - 1e-9, 1}, flatGround(), 6), columns);
            // A ceiling that the highest ring hits at 90 of 100 metres.
            SolidScene hall = flatGround();
            hall.planes.push_back({2, 0.8 + 90 * std::sin(15 * kDegree), -1});
            QVERIFY(isShare(count({0, 0, 0.8}, hall, 15), columns, 0.5));
            QVERIFY(isShare(count({0.2, 0, 0.8}, hall, 15), columns, 0.4));
        }
    }

    void noiseIsAlongTheRayAndOfEachFrameItsOwn() {
        LidarSweep sweep = perfectSweep(kLidarModels[1], {0, 0, 1.2});
        const SolidScene room = makePlace(Place::room, 3);
        const auto clean = generateSweep(sweep, room, {});
        sweep.rangeNoise = 0.02F;
        const auto noisy = generateSweep(sweep, room, {});
        sweep.frame = 1;
        const auto other = generateSweep(sweep, room, {});
        QCOMPARE(noisy.size(), clean.size());
        QCOMPARE(other.size(), clean.size());
        double sum = 0, squares = 0, product = 0;
        for (std::size_t i = 0; i < clean.size(); ++i) {
            const double range = norm(clean[i].position.as<double>());
            const double a = (norm(noisy[i].position.as<double>()) - range) / 0.02;
            const double b = (norm(other[i].position.as<double>()) - range) / 0.02;
            sum += a;
            squares += a * a;
            product += a * b;
        }
        const double n = double(clean.size());
        QVERIFY2(std::abs(sum / n) < 0.02, text(sum / n));
        QVERIFY2(std::abs(squares / n - 1) < 0.03, text(squares / n));
        QVERIFY2(std::abs(product / n) < 0.02, text(product / n));
    }

    void motionsAreTheExponentialMap() {
        const Twist circle{{8, 0, 0}, {0, 0, 0.7}};
        for (const double t : {-0.05, 1e-4, 0.1, 2.0}) {
            const RigidTransform motion = motionAfter(circle, t);
            const double angle = 0.7 * t;
            const Vec3d expected{8 / 0.7 * std::sin(angle), 8 / 0.7 * (1 - std::cos(angle)), 0};
            QVERIFY(norm(motion.translation - expected) < 1e-9);
            QVERIFY(norm(motion.rotate({1, 0, 0}) - Vec3d{std::cos(angle), std::sin(angle), 0}) < 1e-9);
        }
        const Twist screw{{3, -1, 0.5}, {0.2, -0.4, 0.9}};
        const RigidTransform twice = motionAfter(screw, 0.3) * motionAfter(screw, 0.3);
        const RigidTransform once = motionAfter(screw, 0.6);
        QVERIFY(norm(twice.translation - once.translation) < 1e-12);
        QVERIFY(rotationAngle(twice.inverse() * once) < 1e-12);
        QVERIFY(rotationAngle(motionAfter(screw, 0.6) * motionAfter(screw, -0.6)) < 1e-12);
    }

    void motionDistortsBySweepTimeAndIsCorrected() {
        for (const std::uint64_t seed : {5, 6}) {
            const SolidScene street = makePlace(Place::street, seed);
            LidarSweep sweep = perfectSweep(kLidarModels[1], {});
            sweep.lidar.columns = 540;
            sweep.pose = fromRollPitchYaw({0.01, -0.02, 0.4}, {2, 0.3, 1.8});
            sweep.twist = {{12, 0.1, -0.05}, {0.05, -0.03, 0.6}};
            const auto corrected = generateSweep(sweep, street, {});
            sweep.isDeskewed = false;
            const auto skewed = generateSweep(sweep, street, {});
            QCOMPARE(skewed.size(), corrected.size());
            std::size_t off = 0;
            for (std::size_t i = 0; i < skewed.size(); ++i) {
                const Vec3d p = corrected[i].position.as<double>(), raw = skewed[i].position.as<double>();
                const double onSurface = distance(street.view(), sweep.pose(p));
                QVERIFY2(std::abs(onSurface) < 3e-5, text(onSurface));
                const RigidTransform motion = motionAfter(sweep.twist, double(skewed[i].time) - 0.05);
                QVERIFY(norm(motion(raw) - p) < 3e-5);
                QVERIFY(norm(motion.translation - corrected[i].sensor.as<double>()) < 1e-6);
                QVERIFY(dot(corrected[i].normal, corrected[i].sensor - corrected[i].position) > 0);
                off += std::abs(distance(street.view(), sweep.pose(raw))) > 0.05 ? 1 : 0;
            }
            QVERIFY2(off > skewed.size() / 10, text(double(off) / double(skewed.size())));
        }
    }

    void aWallComesNearerWhileASensorDrivesToIt() {
        SolidScene scene;
        scene.planes.push_back({0, 50, -1});
        LidarSweep sweep = perfectSweep(kLidarModels[0], {0, 0, 1});
        sweep.twist.linear.x = 20;
        sweep.isDeskewed = false;
        for (const ScanPoint& p : generateSweep(sweep, scene, {})) {
            const double expected = 50 - 20 * (double(p.time) - 0.05);
            QVERIFY2(std::abs(double(p.position.x) - expected) < 1e-4, text(double(p.position.x) - expected));
        }
    }

    void endlessPlacesLookTheSameFromEverywhereAlongThem() {
        const auto sweepAt = [](Place place, double x) {
            LidarSweep sweep = perfectSweep(kLidarModels[1], {x, 0.1, 1.2});
            sweep.lidar.columns = 540;
            return generateSweep(sweep, makePlace(place, 1), {});
        };
        const auto origin = sweepAt(Place::corridor, 0), far = sweepAt(Place::corridor, 1234.5);
        QCOMPARE(checksumOf(origin), checksumOf(far));
        const auto racks = sweepAt(Place::racks, 0.5);
        QCOMPARE(checksumOf(racks), checksumOf(sweepAt(Place::racks, 4.5)));
        QCOMPARE(checksumOf(racks), checksumOf(sweepAt(Place::racks, -399.5)));
        QVERIFY(checksumOf(racks) != checksumOf(sweepAt(Place::racks, 2.5)));
    }

    void pointsLieOnTheirPlaceAndSensorsHaveRoom() {
        for (const Place place : kPlaces)
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
                const SolidScene scene = makePlace(place, seed);
                const double reach = place == Place::room ? 0.8 : 100;
                for (double x = -reach; x <= reach; x += 0.8) {
                    const double room = distance(scene.view(), {x, 0, usualHeight(place)});
                    QVERIFY2(room > 0.3, text(x));
                }
                LidarSweep sweep = perfectSweep(kLidarModels[0], {0.3, 0.2, usualHeight(place)});
                sweep.lidar.columns = 360;
                for (const ScanPoint& p : generateSweep(sweep, scene, {})) {
                    const double off = distance(scene.view(), sweep.pose(p.position.as<double>()));
                    QVERIFY2(std::abs(off) < 2e-5, text(off));
                }
            }
    }

    void seedsMakeOtherPlaces() {
        for (const Place place : {Place::street, Place::cluttered, Place::room, Place::field}) {
            const auto seen = [&](std::uint64_t seed) {
                return checksumOf(generateSweep(perfectSweep(kLidarModels[0], {0, 0, usualHeight(place)}),
                                                makePlace(place, seed), {}));
            };
            QCOMPARE(seen(1), seen(1));
            QVERIFY(seen(1) != seen(2) && seen(2) != seen(3));
        }
    }

    void turnedBoxesAreHitWhereTheyStand() {
        const SinCos turn = sinCos(0.5);
        SolidScene scene;
        scene.boxes.push_back({{10 * turn.cosine, 10 * turn.sine, 0}, {1, 3, 2}, turn.cosine, turn.sine});
        const Vec3d towards{turn.cosine, turn.sine, 0};
        const Hit hit = castSolids(scene.view(), {0, 0, 0}, towards);
        QVERIFY(std::abs(hit.range - 9) < 1e-9);
        QVERIFY(norm(hit.normal + towards) < 1e-9);
        QVERIFY(castSolids(scene.view(), {0, 0, 0}, -towards).range >= kNoHit);
        QVERIFY(std::abs(distance(scene.view(), {0, 0, 0}) - 9) < 1e-9);
        QVERIFY(distance(scene.view(), 10.0 * towards) < 0);
    }

    void invalidSweepsAreRejected() {
        const SolidScene ground = flatGround();
        const auto isRejected = [&](auto change) {
            LidarSweep sweep;
            change(sweep);
            try {
                generateSweep(sweep, ground, {});
            } catch (const KernelError& error) {
                return !error.nextStep().empty();
            }
            return false;
        };
        QVERIFY(isRejected([](LidarSweep& s) { s.lidar.columns = 0; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.lidar.farthest = s.lidar.nearest; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.rangeNoise = -1; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.rangeNoise = NAN; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.dropOuts.random = 1.5; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.dropOuts.random = NAN; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.pose.translation.x = INFINITY; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.twist.linear.x = NAN; }));
        QVERIFY(isRejected([](LidarSweep& s) { s.twist.angular.z = INFINITY; }));
        QVERIFY(!isRejected([](LidarSweep&) {}));
        std::stop_source stop;
        stop.request_stop();
        QVERIFY_EXCEPTION_THROWN(generateSweep({}, ground, stop.get_token()), Cancelled);
    }

    void generatedScansKeepTheirBytes() {
        // Checksums of the 64-ring sensor, recorded before other sensors were added.
        const auto checksum = [](Scene scene, std::uint64_t seed) {
            std::vector<ScanPoint> points(20'000);
            generate({.scene = scene, .points = points.size(), .seed = seed}, 0, points, {});
            return checksumOf(points);
        };
        QCOMPARE(checksum(Scene::street, 1), std::uint64_t{0x8df861e8bd20c20a});
        QCOMPARE(checksum(Scene::street, 7), std::uint64_t{0xecc2270a0a1e2c84});
        QCOMPARE(checksum(Scene::room, 1), std::uint64_t{0xbca6a0c8dcd23918});
        QCOMPARE(checksum(Scene::bumpy, 1), std::uint64_t{0x6f74666e47078e4d});
    }
};

SCANLOUPE_TEST(TestLidarSweep)
#include "test_lidar_sweep.moc"
