// GICP, VGICP and point-to-plane ICP over surface patches: derivatives, generated sweeps, degenerate scenes
// and bad input.
#include "kernels/core/parallel.h"
#include "kernels/register/counterpart_cache.h"
#include "kernels/register/ndt/ndt_cell.h"
#include "kernels/register/registration_report.h"
#include "tests/kernels/register/registration_scenes.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

Vec3d randomUnit(std::mt19937_64& random) {
    std::normal_distribution<double> along(0, 1);
    return normalized(Vec3d{along(random), along(random), along(random)});
}

RegistrationResult registered(const SweepPair& pair, double edge, const RegistrationParams& params = {}) {
    return cpu::registerSurfaces(surfacesOf(pair.target, edge), surfacesOf(pair.source, edge), pair.start,
                                 params, {});
}

/// Ground and two walls at right angles, each on a single plane if its thickness is small, and patches above
/// the ground that moved by `shift` with the sensor, as planes through parts of two objects do.
struct Courtyard {
    static constexpr double kThin = 0.01, kThick = 0.2; ///< metres
    double ground = kThin, walls = kThin;               ///< thickness, metres

    PointShapes shapes(Vec3d shift) const {
        PointShapes shapes;
        const auto add = [&shapes](Vec3d point, Vec3f normal, double thickness) {
            shapes.points.push_back(point.as<float>());
            shapes.normals.push_back(normal);
            shapes.planarity.push_back(1);
            shapes.thickness.push_back(float(thickness));
        };
        for (double u = -9.875; u < 10; u += 0.25)
            for (double v = -9.875; v < 10; v += 0.25) {
                add({u, v, 0}, {0, 0, 1}, ground);
                if (v < -5)
                    add({10, u, v + 10}, {-1, 0, 0}, walls);
                if (v < -5)
                    add({u, 10, v + 10}, {0, -1, 0}, walls);
                if (u > 0 && v > 0)
                    add(Vec3d{u, v, 2} + shift, {0, 0, 1}, kThick);
            }
        return shapes;
    }
    SurfacePyramid surfaces(Vec3d shift) const {
        SurfacePyramid surfaces(0.25, 2, true);
        surfaces.add(shapes(shift), {}, {});
        return surfaces;
    }
};

} // namespace

class TestRegistration : public QObject {
    Q_OBJECT
private slots:
    void informationIsTheInverseOfBothCovariances() {
        auto random = seededRandom("informationIsTheInverseOfBothCovariances");
        constexpr double k = 1 - kFlatVariance, unit = 2 * kFlatVariance;
        for (int n = 0; n < 200; ++n) {
            const Vec3d a = randomUnit(random), b = n < 20 ? a : n < 40 ? -a : randomUnit(random);
            const Eigen::Vector3d u(a.x, a.y, a.z), v(b.x, b.y, b.z);
            const Eigen::Matrix3d sum =
                2 * Eigen::Matrix3d::Identity() - k * u * u.transpose() - k * v * v.transpose();
            const Eigen::Matrix3d wanted =
                unit * (Eigen::Matrix3d(sum.inverse()) - 0.5 * Eigen::Matrix3d::Identity());
            const auto& m = gicpInformation(a, b).m;
            for (int r = 0, i = 0; r < 3; ++r)
                for (int c = r; c < 3; ++c, ++i)
                    QVERIFY2(std::abs(m[i] - wanted(r, c)) < 1e-9, qPrintable(QString::number(m[i])));
        }
    }

    void derivativesMatchCentralDifferences_data() {
        QTest::addColumn<int>("kernel");
        QTest::addColumn<bool>("isPlane");
        for (int kernel = 0; kernel < int(std::size(kRobustKernelKeys)); ++kernel)
            for (const bool isPlane : {false, true})
                QTest::addRow("%s, %s", isPlane ? "plane" : "gicp", kRobustKernelKeys[kernel])
                    << kernel << isPlane;
    }
    void derivativesMatchCentralDifferences() {
        QFETCH(int, kernel);
        QFETCH(bool, isPlane);
        auto random = seededRandom("derivativesMatchCentralDifferences");
        std::uniform_real_distribution<double> along(-1, 1);
        constexpr double h = 1e-5, scale = 0.7;
        for (int n = 0; n < 150; ++n) {
            const RigidTransform pose = randomPose(random, 3, 3.1);
            const Vec3d p{10 * along(random), 10 * along(random), 3 * along(random)};
            const Vec3d q = pose(p) + Vec3d{along(random), along(random), along(random)};
            const Vec3d a = randomUnit(random), b = normalized(a + 0.2 * randomUnit(random));
            const Information information = isPlane ? planeInformation(a) : gicpInformation(a, b);
            const auto sumsAt = [&](const RigidTransform& at, RobustKernel by) {
                FactorSums sums;
                addFactor(sums, at.rotate(p), at(p) - q, information, by, scale);
                return sums;
            };
            const FactorSums sums = sumsAt(pose, RobustKernel(kernel)),
                             plain = sumsAt(pose, RobustKernel::none);
            for (int i = 0; i < 6; ++i) {
                double up[6] = {}, down[6] = {};
                up[i] = h;
                down[i] = -h;
                const FactorSums above = sumsAt(moved(pose, up), RobustKernel(kernel)),
                                 below = sumsAt(moved(pose, down), RobustKernel(kernel));
                const double wanted = (above.error() - below.error()) / (2 * h);
                QVERIFY2(std::abs(sums.gradient(i) - wanted) < 1e-6 * (1 + std::abs(wanted)),
                         qPrintable(QString("%1 of %2: %3, by differences %4")
                                        .arg(i)
                                        .arg(n)
                                        .arg(sums.gradient(i))
                                        .arg(wanted)));
                for (int j = 0; j < 6; ++j) { // J^T M J, by differences of the moved point
                    double upJ[6] = {}, downJ[6] = {};
                    upJ[j] = h;
                    downJ[j] = -h;
                    const Vec3d di = (moved(pose, up)(p) - moved(pose, down)(p)) / (2 * h),
                                dj = (moved(pose, upJ)(p) - moved(pose, downJ)(p)) / (2 * h);
                    const double curvature = dot(di, times(information.m, dj));
                    QVERIFY(std::abs(plain.hessian(i, j) - curvature) < 1e-6 * (1 + std::abs(curvature)));
                    QVERIFY(std::abs(sums.hessian(i, j) - sums.weight() * plain.hessian(i, j)) <
                            1e-9 * (1 + std::abs(plain.hessian(i, j))));
                }
            }
        }
    }

    void eachMethodFindsThePose() {
        const YardPair pair = yardPair("eachMethodFindsThePose");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25), source = surfacesOf(pair.source, 0.25);
        for (const RegistrationMethod method : kMethods)
            for (int kernel = 0; kernel < int(std::size(kRobustKernelKeys)); ++kernel) {
                RegistrationParams params;
                params.method = method;
                params.kernel = RobustKernel(kernel);
                const RegistrationResult result = cpu::registerSurfaces(target, source, {}, params, {});
                std::printf("%s, %s: %s, %d iterations\n", kRegistrationMethodKeys[int(method)],
                            kRobustKernelKeys[kernel], text(errorOf(result.pose, pair.truth)).c_str(),
                            result.iterations);
                QVERIFY(result.converged());
                QCOMPARE(result.geometry.weak, 0);
                VERIFY_POSE(result.pose, pair.truth, 20, 0.1);
            }
    }

    void sweepsOfPlaces_data() {
        QTest::addColumn<int>("place");
        QTest::addColumn<double>("edge");
        QTest::newRow("street") << int(synth::Place::street) << 0.2;
        QTest::newRow("cluttered corridor") << int(synth::Place::cluttered) << 0.125;
        QTest::newRow("room") << int(synth::Place::room) << 0.125;
        QTest::newRow("racks") << int(synth::Place::racks) << 0.25;
    }
    /// Start poses are off by up to 2 m and 10 degrees. Between racks, which repeat every 4 m, they are off
    /// by 1 m.
    void sweepsOfPlaces() {
        QFETCH(int, place);
        QFETCH(double, edge);
        constexpr std::uint64_t first = 1000, count = 6;
        const double off = synth::Place(place) == synth::Place::racks ? 1 : 2;
        std::uint64_t right = 0;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const SweepPair pair = makePair(synth::Place(place), seed, off);
            const RegistrationResult result = registered(pair, edge);
            const PoseError error = errorOf(result.pose, pair.truth);
            const bool isRight = error.metres < 0.05 && error.degrees < 0.2;
            right += isRight;
            if (!isRight)
                std::printf("seed %llu, %s: start off by %s, result by %s\n",
                            static_cast<unsigned long long>(seed), synth::kLidarModels[seed % 4].name,
                            text(errorOf(pair.start, pair.truth)).c_str(), text(error).c_str());
        }
        std::printf("%llu of %llu from seed %llu on\n", static_cast<unsigned long long>(right),
                    static_cast<unsigned long long>(count), static_cast<unsigned long long>(first));
        QVERIFY(right + 1 >= count);
    }

    void endlessCorridorLeavesItsAxisAsItStarted() {
        for (std::uint64_t seed = 1000; seed < 1006; ++seed) {
            SweepPair pair = makePair(synth::Place::corridor, seed, 0);
            pair.start.translation += pair.along * 0.4; // shifts the start along the unconstrained direction
            const RegistrationResult result = registered(pair, 0.125);
            const Vec3d moved = result.pose.translation - pair.start.translation,
                        off = result.pose.translation - pair.truth.translation;
            const double alongAxis = std::abs(dot(moved, pair.along)),
                         across = norm(off - pair.along * dot(off, pair.along));
            const auto& direction = result.geometry.directions;
            const std::string figures = std::to_string(seed) + ": " + std::to_string(alongAxis) +
                                        " m along, " + std::to_string(across) + " m across";
            QVERIFY2(result.geometry.weak >= 1, figures.c_str());
            if (result.geometry.weak == 1)
                QVERIFY2(std::abs(dot(Vec3d{direction[0], direction[1], direction[2]}, pair.along)) > 0.99,
                         figures.c_str());
            QVERIFY2(alongAxis < 0.05, figures.c_str());
            QVERIFY2(across < 0.05, figures.c_str());
        }
    }
    void planeHasThreeWeakDirections() {
        auto random = seededRandom("planeHasThreeWeakDirections");
        const RigidTransform sensor{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 0, 2.5}};
        const auto target = seenFrom(sensor, sample(floorOnly(), 200'000, 0.005, random), 20),
                   source = seenFrom(sensor, sample(floorOnly(), 200'000, 0.005, random), 20);
        const RigidTransform start = fromRollPitchYaw({0.03, -0.02, 0}, {0.5, -0.3, 0.2});
        const RegistrationResult result =
            cpu::registerSurfaces(surfacesOf(target, 0.25), surfacesOf(source, 0.25), start, {}, {});
        QVERIFY(result.converged());
        QCOMPARE(result.geometry.weak, 3);
        // height, roll and pitch are found; the other components keep their start values
        const RigidTransform& pose = result.pose;
        QVERIFY(std::abs(pose.translation.z) < 0.01);
        QVERIFY(std::abs(pose.rows[2].x) < 0.002 && std::abs(pose.rows[2].y) < 0.002);
        QVERIFY(std::hypot(pose.translation.x - 0.5, pose.translation.y + 0.3) < 0.1);
        QVERIFY(std::abs(pose.rows[1].x) < 0.01);
    }

    void coordinatesMayBeLarge() {
        const YardPair pair = yardPair("coordinatesMayBeLarge");
        const Vec3d far{90'000, -45'000, 300};
        RegistrationParams params;
        params.epsilon = 1e-8;
        RigidTransform start; // the same pairs, in frames with distant origins
        start.translation = 2.0 * far;
        const RegistrationResult near = cpu::registerSurfaces(surfacesOf(pair.target, 0.25),
                                                              surfacesOf(pair.source, 0.25), {}, params, {});
        const RegistrationResult there = cpu::registerSurfaces(
            surfacesOf(pair.target, 0.25, far), surfacesOf(pair.source, 0.25, -far), start, params, {});
        RigidTransform back; // transforms back to the frames of the points
        back.translation = -far;
        const RigidTransform found = back * there.pose * back;
        QVERIFY(near.converged() && there.converged());
        VERIFY_POSE(found, near.pose, 0.01, 1e-5);
    }

    void runsAreTheSameBitByBit() {
        const YardPair pair = yardPair("runsAreTheSameBitByBit");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25), source = surfacesOf(pair.source, 0.25);
        const RegistrationResult once = cpu::registerSurfaces(target, source, {}, {}, {});
        // the same results while other registrations run concurrently
        std::vector<RegistrationResult> results(8);
        parallelFor(results.size(), 1, {}, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                results[i] = cpu::registerSurfaces(surfacesOf(pair.target, 0.25),
                                                   surfacesOf(pair.source, 0.25), {}, {}, {});
        });
        for (const RegistrationResult& result : results)
            QVERIFY(sameResult(result, once));
    }
    /// Along a walk of small and large steps, the counterparts that are kept are those that a search finds.
    void keptCounterpartsAreThoseOfASearch() {
        const YardPair pair = yardPair("keptCounterpartsAreThoseOfASearch");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25), source = surfacesOf(pair.source, 0.25);
        auto random = seededRandom("keptCounterpartsAreThoseOfASearch, walk");
        std::uniform_real_distribution<double> way(-1, 1);
        for (std::size_t level = 0; level < target.levels().size(); ++level) {
            const SurfaceFactors factors = surfaceFactors(target.levels()[level], source.levels()[level], {});
            CounterpartCache cache(factors.count);
            RigidTransform pose = pair.truth;
            for (const double metres : {0.5, 0.1, 0.01, 0.003, 0.03, 0.3, 0.001, 0.01, 3.0, 0.02}) {
                pose = fromRollPitchYaw({0, 0, 0.1 * metres * way(random)},
                                        {metres * way(random), metres * way(random), 0.1 * metres}) *
                       pose;
                for (std::uint32_t i = 0; i < factors.count; ++i) {
                    const Vec3d x =
                        pose(factors.source[i].mean + factors.origin) - target.levels()[level].origin();
                    const Vec3d normal = pose.rotate(factors.source[i].normal.as<double>());
                    QCOMPARE(cache.counterpart(factors, i, x, normal), factors.counterpart(x, normal));
                }
            }
        }
    }
    void scansOfAMapAddUp() { // a map of two scans at their poses has the surfaces of both
        const YardPair pair = yardPair("scansOfAMapAddUp");
        SurfacePyramid map = surfacesOf(pair.target, 0.25);
        const std::size_t before = map.levels().front().patches().size();
        const PointShapes shapes =
            cpu::findPointShapes(pair.source, {.edge = 0.25, .neighbours = 0, .viewpoint = Vec3d{}}, {});
        map.add(shapes, {}, pair.truth);
        QVERIFY(map.levels().front().patches().size() > before);
        QVERIFY(map.bytes() > 0);
        const RegistrationResult result =
            cpu::registerSurfaces(map, surfacesOf(pair.source, 0.25), {}, {}, {});
        VERIFY_POSE(result.pose, pair.truth, 10, 0.05);
    }

    void pointsOnSinglePlanesAreALevelOfTheirOwn() {
        const PointShapes shapes = Courtyard{}.shapes({});
        PointShapes some;
        for (std::size_t i = 0; i < shapes.size(); ++i)
            if (double(shapes.thickness[i]) <= kThinPlane * 0.25) {
                some.points.push_back(shapes.points[i]);
                some.normals.push_back(shapes.normals[i]);
                some.planarity.push_back(shapes.planarity[i]);
                some.thickness.push_back(shapes.thickness[i]);
            }
        SurfacePyramid all(0.25, 2, true), thin(0.25, 2, true);
        all.add(shapes, {}, {});
        thin.add(some, {}, {});
        const auto count = [](const SurfacePyramid& p, int level) {
            return p.levels()[std::size_t(level)].patchCount();
        };
        QVERIFY(all.levels()[kThinLevel].edge() == 0.25 && all.levels()[kFinestLevel].edge() == 0.25);
        QVERIFY(count(all, kThinLevel) > 1000 && count(all, kThinLevel) < count(all, kFinestLevel));
        QCOMPARE(count(all, kThinLevel), count(thin, kFinestLevel));
        QCOMPARE(count(thin, kThinLevel), count(thin, kFinestLevel));
    }
    void pointsOnSinglePlanesRefineThePose() {
        const Vec3d shift{0, 0, 0.03};
        const auto run = [&](const Courtyard& yard) {
            return cpu::registerSurfaces(yard.surfaces({}), yard.surfaces(shift), {}, {}, {});
        };
        const RegistrationResult all = run({Courtyard::kThick, Courtyard::kThick}), refined = run({}),
                                 groundAlone = run({.walls = Courtyard::kThick});
        QVERIFY(all.converged() && refined.converged() && groundAlone.converged());
        std::printf("off by %.3f mm by all surfaces, %.6f mm refined\n", 1e3 * norm(all.pose({})),
                    1e3 * norm(refined.pose({})));
        QVERIFY(norm(all.pose({5, 5, 0}) - Vec3d{5, 5, 0}) > 1e-3);
        VERIFY_POSE(refined.pose, RigidTransform{}, 0.01, 1e-4);
        QVERIFY(groundAlone.pose == all.pose); // the ground does not constrain horizontal motion
        QCOMPARE(refined.surfaces, all.surfaces);
        QCOMPARE(refined.matched, all.matched);
        const SurfacePyramid source = Courtyard{}.surfaces(shift);
        const SurfaceMap& finest = source.levels()[kFinestLevel];
        Vec3d middle;
        for (const SurfacePatch& patch : finest.patches())
            middle += (finest.origin() + patch.mean) / double(finest.patchCount());
        QVERIFY(norm(refined.geometry.middle - refined.pose(middle)) < 1e-9); // figures are of that pose
    }

    void surfacesNearAPlaceStay() {
        const YardPair pair = yardPair("surfacesNearAPlaceStay");
        const RigidTransform pose = fromRollPitchYaw({0, 0, 0.4}, {300, 100, 2});
        const SurfacePyramid all = surfacesOf(pair.target, 0.25, {}, pose);
        SurfacePyramid some = all;
        const Vec3d place = pose({1, 1, 0});
        const double radius = 12;
        some.keepNear(place, radius);
        QVERIFY(some.bytes() < all.bytes());
        for (std::size_t level = 0; level < all.levels().size(); ++level) {
            const SurfaceMap &before = all.levels()[level], &after = some.levels()[level];
            std::size_t next = 0;
            for (const SurfacePatch& patch : before.patches()) {
                Vec3i cell;
                QVERIFY(ndtCellOf(1 / before.edge(), patch.mean, cell));
                const Vec3d middle = (cell.as<double>() + Vec3d{0.5, 0.5, 0.5}) * before.edge();
                if (norm(before.origin() + middle - place) > radius) {
                    QCOMPARE(after.firstIn(cell), kNoPatch);
                    continue;
                }
                QVERIFY(after.patches()[next].mean == patch.mean); // the patches are in the same order
                bool isFound = false;
                for (std::uint32_t i = after.firstIn(cell); i != kNoPatch; i = after.patches()[i].next)
                    isFound = isFound || i == next;
                QVERIFY(isFound);
                ++next;
            }
            QCOMPARE(after.patches().size(), next);
            QVERIFY(next > 10 && next < before.patches().size());
        }
        const SurfacePyramid source = surfacesOf(pair.source, 0.25);
        const RegistrationResult result = cpu::registerSurfaces(some, source, pose, {}, {});
        VERIFY_POSE(result.pose, pose * pair.truth, 20, 0.1);
        some.keepNear(place + Vec3d{1000, 0, 0}, radius);
        QCOMPARE(cpu::registerSurfaces(some, source, pose, {}, {}).end, RegistrationEnd::noTarget);
    }

    void tooFewPointsAreReported() {
        const YardPair pair = yardPair("tooFewPointsAreReported");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25);
        for (const std::size_t count : {0, 1, 9}) {
            const SurfacePyramid few =
                surfacesOf({pair.source.begin(), pair.source.begin() + std::ptrdiff_t(count)}, 0.25);
            QCOMPARE(cpu::registerSurfaces(target, few, {}, {}, {}).end, RegistrationEnd::noSurfaces);
            QCOMPARE(cpu::registerSurfaces(few, target, {}, {}, {}).end, RegistrationEnd::noTarget);
        }
        const float nan = std::numeric_limits<float>::quiet_NaN();
        const SurfacePyramid none = surfacesOf(std::vector<Vec3f>(1000, Vec3f{nan, 0, 0}), 0.25);
        QCOMPARE(cpu::registerSurfaces(target, none, {}, {}, {}).end, RegistrationEnd::noSurfaces);
    }
    void scansApartHaveNoOverlap() {
        const YardPair pair = yardPair("scansApartHaveNoOverlap");
        RigidTransform start;
        start.translation = {500, 0, 0};
        const RegistrationResult result = cpu::registerSurfaces(surfacesOf(pair.target, 0.25),
                                                                surfacesOf(pair.source, 0.25), start, {}, {});
        QCOMPARE(result.end, RegistrationEnd::noOverlap);
        QVERIFY(result.pose == start);
    }
    void pointsThatAreNotFiniteAreLeftOut() {
        YardPair pair = yardPair("pointsThatAreNotFiniteAreLeftOut");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25);
        const RegistrationResult clean =
            cpu::registerSurfaces(target, surfacesOf(pair.source, 0.25), {}, {}, {});
        const float nan = std::numeric_limits<float>::quiet_NaN(),
                    far = std::numeric_limits<float>::infinity();
        for (std::size_t i = 0; i < pair.source.size(); i += 100)
            pair.source.insert(pair.source.begin() + std::ptrdiff_t(i),
                               i % 200 ? Vec3f{nan, 1, 2} : Vec3f{0, far, 0});
        QVERIFY(sameResult(cpu::registerSurfaces(target, surfacesOf(pair.source, 0.25), {}, {}, {}), clean));
    }
    void wrongParametersAreRefused() {
        const SurfacePyramid surfaces(0.25, 2, true);
        const auto with = [](auto change) {
            RegistrationParams params;
            change(params);
            return params;
        };
        const double nan = std::numeric_limits<double>::quiet_NaN();
        for (const RegistrationParams& params :
             {with([](auto& p) { p.scale = 0; }), with([&](auto& p) { p.scale = nan; }),
              with([](auto& p) { p.epsilon = -1; }), with([](auto& p) { p.maxIterations = 0; })})
            QVERIFY_EXCEPTION_THROWN(cpu::registerSurfaces(surfaces, surfaces, {}, params, {}), KernelError);
        RigidTransform start;
        start.rows[0] = {0, 0, 0};
        QVERIFY_EXCEPTION_THROWN(cpu::registerSurfaces(surfaces, surfaces, start, {}, {}), KernelError);
        QVERIFY_EXCEPTION_THROWN(cpu::registerSurfaces(surfaces, SurfacePyramid(0.2, 2, true), {}, {}, {}),
                                 Fault);
        for (const double edge : {0.0, -1.0, nan})
            QVERIFY_EXCEPTION_THROWN(SurfacePyramid(edge, 2, true), KernelError);
        std::stop_source stop;
        stop.request_stop();
        const YardPair pair = yardPair("wrongParametersAreRefused");
        const SurfacePyramid target = surfacesOf(pair.target, 0.25);
        QVERIFY_EXCEPTION_THROWN(cpu::registerSurfaces(target, target, {}, {}, stop.get_token()), Cancelled);
    }
};

SCANLOUPE_TEST(TestRegistration)
#include "test_registration.moc"
