// Scenes of the simulated lidar: points are on the surface, normals and distances are correct, the scenes are
// varied.
#include "kernels/synth/scan_generator_element.h"
#include "tests/support/scene_distance.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::synth;

namespace {

constexpr std::array kScenes{Scene::street, Scene::room, Scene::bumpy};

std::vector<ScanPoint> makeScan(Scene scene, std::uint64_t count, float noise) {
    std::vector<ScanPoint> points(count);
    generate({.scene = scene, .points = count, .rangeNoise = noise}, 0, points, {});
    return points;
}

Vec3d gradient(Scene scene, Vec3d p, double step) {
    Vec3d result;
    for (int axis = 0; axis < 3; ++axis) {
        Vec3d offset;
        offset[axis] = step;
        result[axis] = (signedDistance(scene, p + offset) - signedDistance(scene, p - offset)) / (2 * step);
    }
    return result;
}

Vec3d randomUnit(std::uint64_t i) {
    const auto random = [&](std::uint64_t stream) { return 2 * uniform(randomBits(11, stream, i)) - 1; };
    return normalized(Vec3d{random(0), random(1), random(2)});
}

QByteArray text(double value) {
    return QByteArray::number(value, 'g', 10);
}

} // namespace

class TestSynthScenes : public QObject {
    Q_OBJECT

private slots:
    void pointsLieOnTheSurface() {
        for (const Scene scene : kScenes) {
            for (const ScanPoint& point : makeScan(scene, 200'000, 0)) {
                const double d = std::abs(signedDistance(scene, point.position.as<double>()));
                // the requirement is 0.5 mm; single precision at 50 m gives 4e-6 m
                QVERIFY2(d < 2e-5, text(d));
            }
            for (const ScanPoint& point : makeScan(scene, 50'000, 0.02F)) {
                const double d = std::abs(signedDistance(scene, point.position.as<double>()));
                QVERIFY2(d < 0.02 * 5, text(d));
            }
        }
    }

    void normalsAreUnitFaceTheSensorAndFollowTheDistance() {
        for (const Scene scene : kScenes) {
            const auto points = makeScan(scene, 100'000, 0);
            std::size_t off = 0, slopesOff = 0;
            for (const ScanPoint& point : points) {
                const Vec3d p = point.position.as<double>(), normal = point.normal.as<double>();
                QVERIFY(std::abs(norm(normal) - 1) < 1e-6);
                QVERIFY(dot(normal, point.sensor.as<double>() - p) > 0);
                const Vec3d slope = gradient(scene, p, 1e-4);
                off += dot(normal, normalized(slope)) < 0.999 ? 1 : 0;
                slopesOff += std::abs(norm(slope) - 1) > 0.01 ? 1 : 0;
            }
            // Deviations are only permitted within a tenth of a millimetre of edges.
            QVERIFY2(double(off) < 0.003 * double(points.size()), text(double(off)));
            QVERIFY2(double(slopesOff) < 0.003 * double(points.size()), text(double(slopesOff)));
        }
    }

    void distancesAreTrueInFreeSpace() {
        // A ball of that radius contains no surface, and its point in the negative gradient direction is on
        // the surface.
        for (const Scene scene : kScenes) {
            const auto points = makeScan(scene, 20'000, 0);
            std::size_t reached = 0, tried = 0;
            for (std::size_t i = 0; i < points.size(); i += 5) {
                const double height = 0.1 * uniform(randomBits(3, 0, i));
                const Vec3d p = points[i].position.as<double>() + height * points[i].normal.as<double>();
                const double d = signedDistance(scene, p);
                QVERIFY2(d <= height + 1e-5, text(d - height));
                if (d < 1e-3)
                    continue; // the point is beyond a thin neighbour
                for (std::uint64_t k = 0; k < 8; ++k)
                    QVERIFY(signedDistance(scene, p + 0.999 * d * randomUnit(8 * i + k)) > -1e-6);
                const Vec3d slope = gradient(scene, p, 1e-5);
                ++tried;
                reached += std::abs(signedDistance(scene, p - d * normalized(slope))) < 1e-4 ? 1 : 0;
            }
            QVERIFY(tried > 3'000);
            QVERIFY2(double(reached) > 0.995 * double(tried), text(double(reached) / double(tried)));
        }
    }

    void distancesAgreeWithTheNearestOfManySurfaceSamples() {
        for (const Scene scene : kScenes) {
            const auto samples = makeScan(scene, 400'000, 0);
            std::vector<double> gaps;
            for (std::size_t i = 1'000; i < samples.size(); i += 4'001) {
                const Vec3d p = samples[i].position.as<double>() + 0.08 * samples[i].normal.as<double>();
                double nearest = 1e30;
                for (const ScanPoint& sample : samples)
                    nearest = std::min(nearest, squaredNorm(sample.position.as<double>() - p));
                nearest = std::sqrt(nearest);
                const double d = signedDistance(scene, p);
                QVERIFY2(d <= nearest + 1e-5, text(d - nearest));
                gaps.push_back(nearest - d);
            }
            std::ranges::sort(gaps);
            QVERIFY2(gaps[gaps.size() / 2] < 1e-3, text(gaps[gaps.size() / 2]));
            QVERIFY2(gaps[gaps.size() * 9 / 10] < 1e-2, text(gaps[gaps.size() * 9 / 10]));
        }
    }

    void theBumpySpheresDistanceIsThatOfItsFinelySampledSurface() {
        std::vector<Vec3d> surface;
        for (std::uint64_t i = 0; i < 400'000; ++i) {
            // A cap around one direction, sampled much more finely than the compared distances.
            const double x = 0.3 * (uniform(randomBits(5, 0, i)) - 0.5),
                         y = 0.3 * (uniform(randomBits(5, 1, i)) - 0.5);
            const Vec3d q = normalized(Vec3d{1, 0.6 + x, 0.4 + y});
            surface.push_back(q * bumpyRadius(q).radius);
        }
        for (std::uint64_t i = 0; i < 100; ++i) {
            const Vec3d q = normalized(Vec3d{1, 0.6, 0.4} + 0.02 * randomUnit(i));
            const double height = 0.1 * (uniform(randomBits(5, 2, i)) - 0.5);
            const Vec3d p = q * (bumpyRadius(q).radius + height);
            double nearest = 1e30;
            for (const Vec3d& s : surface)
                nearest = std::min(nearest, squaredNorm(s - p));
            const double d = signedDistance(Scene::bumpy, p);
            QVERIFY((d > 0) == (height > 0));
            // The samples are within about 0.4 mm of each other, so their distance is too long by up to that.
            QVERIFY2(std::abs(d) <= std::sqrt(nearest) + 1e-7, text(std::abs(d) - std::sqrt(nearest)));
            QVERIFY2(std::sqrt(nearest) - std::abs(d) < 3e-4, text(std::sqrt(nearest) - std::abs(d)));
        }
    }

    void theSidesOfTheSurfacesAreRight() {
        for (const Scene scene : kScenes)
            for (const ScanPoint& point : makeScan(scene, 5'000, 0)) {
                const Vec3d p = point.position.as<double>(), normal = point.normal.as<double>();
                QVERIFY(signedDistance(scene, p - 1e-4 * normal) < 0);
            }
        QVERIFY(signedDistance(Scene::street, {0, 0, -1}) < -0.9);
        QVERIFY(signedDistance(Scene::room, {4, 0, 1}) < -0.9);
        QVERIFY(signedDistance(Scene::bumpy, {0, 0, 0}) < -0.9);
        QVERIFY(std::abs(signedDistance(Scene::street, {5, 0, 0.7}) - 0.7) < 1e-12);
        QVERIFY(std::abs(signedDistance(Scene::street, {5, 5.1, 0.17}) - 0.03) < 1e-12);
    }

    void theStreetHasAllItsParts() {
        const StreetLayout& street = sceneGeometry().street;
        std::size_t ground = 0, houses = 0, recesses = 0, cars = 0, posts = 0, balls = 0, upper = 0;
        Vec3d low{1e9, 1e9, 1e9}, high = -low;
        const auto points = makeScan(Scene::street, 200'000, 0);
        for (const ScanPoint& point : points) {
            const Vec3d p = point.position.as<double>();
            low = min(low, p);
            high = max(high, p);
            const auto on = [](double d) { return std::abs(d) < 1e-4; };
            if (on(groundDistance(p)))
                ++ground;
            upper += p.z > 4 ? 1 : 0;
            for (int i = 0; i < street.houseCount; ++i) {
                const House& house = street.houses[i];
                if (!on(distance(house, p)))
                    continue;
                ++houses;
                if (distance(house.block(), house.toLocal(p)) < -0.01)
                    ++recesses;
            }
            for (int i = 0; i < street.cylinderCount; ++i)
                posts += on(distance(street.cylinders[i], p)) ? 1 : 0;
            for (int i = 0; i < street.sphereCount; ++i)
                balls += on(distance(street.spheres[i], p)) ? 1 : 0;
            for (int i = 0; i < street.carCount; ++i) {
                const Car& car = street.cars[i];
                cars += on(carParts(street.shapes[car.shape], toCar(car, p)).nearest()) ? 1 : 0;
            }
        }
        const double n = double(points.size());
        qInfo("street: ground %.1f %%, houses %.1f %% (windows and doors %.1f %%), cars %.1f %%, posts %.1f "
              "%%, "
              "spheres %.1f %%, above 4 m %.1f %%",
              100 * double(ground) / n, 100 * double(houses) / n, 100 * double(recesses) / n,
              100 * double(cars) / n, 100 * double(posts) / n, 100 * double(balls) / n,
              100 * double(upper) / n);
        QVERIFY(double(ground) > 0.15 * n && double(houses) > 0.2 * n && double(recesses) > 0.02 * n);
        QVERIFY(double(cars) > 0.08 * n && double(posts) > 0.002 * n && double(balls) > 0.005 * n);
        QVERIFY(double(upper) > 0.1 * n);
        qInfo("street: x %.2f to %.2f, y %.2f to %.2f, z %.2f to %.2f", low.x, high.x, low.y, high.y, low.z,
              high.z);
        QVERIFY(low.x > -28 && high.x < 58 && high.x - low.x > 60);
        QVERIFY(low.y > -17 && high.y < 17 && high.y - low.y > 15);
        QVERIFY(low.z > -1e-3 && high.z > 6 && high.z < 14);
    }

    void theRoomHasAllItsParts() {
        const RoomLayout& room = sceneGeometry().room;
        std::vector<std::size_t> seen(std::size_t(room.groupCount));
        std::size_t walls = 0, balls = 0, column = 0;
        const auto points = makeScan(Scene::room, 200'000, 0);
        for (const ScanPoint& point : points) {
            const Vec3d p = point.position.as<double>();
            QVERIFY(distance(room.walls, p) < 1e-5);
            walls += std::abs(distance(room.walls, p)) < 1e-5 ? 1 : 0;
            column += std::abs(distance(room.column, p)) < 1e-5 ? 1 : 0;
            for (int i = 0; i < room.sphereCount; ++i)
                balls += std::abs(distance(room.spheres[i], p)) < 1e-5 ? 1 : 0;
            for (int g = 0; g < room.groupCount; ++g)
                for (int i = 0; i < room.groups[g].boxCount; ++i)
                    seen[std::size_t(g)] +=
                        std::abs(distance(room.boxes[room.groups[g].firstBox + i], p)) < 1e-5 ? 1 : 0;
        }
        const double n = double(points.size());
        QVERIFY(double(walls) > 0.4 * n && double(walls) < 0.9 * n);
        QVERIFY(double(column) > 0.01 * n && double(balls) > 0.005 * n);
        for (const std::size_t group : seen)
            QVERIFY2(group > 5, text(double(group)));
    }

    void theBumpySphereIsSeenFromAllSides() {
        std::array<std::size_t, 8 * 4> seen{};
        double low = 2, high = 0;
        for (const ScanPoint& point : makeScan(Scene::bumpy, 100'000, 0)) {
            const Vec3d p = point.position.as<double>();
            low = std::min(low, norm(p));
            high = std::max(high, norm(p));
            const auto sector = std::size_t((std::atan2(p.y, p.x) + kPi) / (2 * kPi) * 7.999);
            ++seen[sector * 4 + std::size_t((p.z / norm(p) + 1) / 2 * 3.999)];
        }
        QVERIFY(low > 1 - kBumpHeight && low < 0.96 && high < 1 + kBumpHeight && high > 1.04);
        for (const std::size_t count : seen)
            QVERIFY2(count > 1'000, text(double(count)));
    }

    void everyRayAtTheBumpySphereIsSafe() {
        // The steps of the ray cast rely on the tested bound of the distance.
        for (std::uint64_t i = 0; i < 200'000; ++i) {
            const Vec3d p = randomUnit(i) * (1 + kBumpHeight * (2 * uniform(randomBits(6, 0, i)) - 1));
            const Vec3d step = 1e-4 * randomUnit(i + 1'000'000);
            const double bend =
                (bumpyField(p + step).value + bumpyField(p - step).value - 2 * bumpyField(p).value) / 1e-8;
            QVERIFY2(bend > -kSecondDerivativeBound * 0.8, text(bend));
        }
    }
};

SCANLOUPE_TEST(TestSynthScenes)
#include "test_synth_scenes.moc"
