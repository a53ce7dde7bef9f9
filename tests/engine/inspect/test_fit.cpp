// Fits of scans to meshes and other scans: known motions are recovered; outliers and weak directions are
// reported.
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/inspect/fit/fit.h"
#include "engine/inspect/mesh_distance.h"
#include "engine/inspect/reference.h"
#include "engine/io/synth/synthetic_part.h"
#include "kernels/cut/cut_points.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <numbers>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::test;

Q_DECLARE_METATYPE(scanloupe::FitMethod)

namespace {

Reference referenceOf(TriangleMesh mesh) {
    ReferenceMesh shape;
    shape.mesh = weldedMesh(mesh, {});
    shape.tree = cpu::buildTriangleBvh(shape.mesh, {});
    shape.normals = pseudonormalsOf(shape.mesh, {});
    Reference reference;
    reference.shape = std::move(shape);
    return reference;
}
Reference referenceOf(const std::vector<Vec3f>& points) {
    ReferenceScan shape;
    shape.points = hostCopy(std::span<const Vec3f>(points));
    shape.tree = cpu::buildPointBvh(points, {});
    Reference reference;
    reference.shape = std::move(shape);
    return reference;
}

/// A random motion: rotated by up to `degrees`, shifted by up to `shift` along each axis.
RigidTransform motionOf(std::mt19937_64& random, double degrees, double shift) {
    std::uniform_real_distribution<double> along(-1, 1);
    const auto three = [&](double size) { return Vec3d{along(random), along(random), along(random)} * size; };
    return fromRollPitchYaw(three(degrees * std::numbers::pi / 180), three(shift));
}

/// How far two motions move the corners of a box around the part apart, at most.
double apart(const RigidTransform& a, const RigidTransform& b) {
    double most = 0;
    for (const double x : {-0.06, 0.06})
        for (const double y : {-0.04, 0.04})
            for (const double z : {-0.006, 0.02})
                most = std::max(most, norm(a(Vec3d{x, y, z}) - b(Vec3d{x, y, z})));
    return most;
}

std::vector<Vec3f> movedBy(const RigidTransform& motion, const std::vector<Vec3f>& points) {
    std::vector<Vec3f> moved;
    for (const Vec3f p : points)
        moved.push_back(motion(p.as<double>()).as<float>());
    return moved;
}

/// Points of a room of 6 x 4 x 3 m with three boxes and a column.
std::vector<Vec3f> roomScan(std::mt19937_64& random, std::size_t count, double noise) {
    struct Box {
        Vec3d low, high;
    };
    const Box boxes[] = {{{-3, -2, 0}, {3, 2, 3}},
                         {{-2.5, -1.8, 0}, {-1, -0.8, 0.8}},
                         {{0.5, 0.4, 0}, {2.2, 1.5, 0.7}},
                         {{1.8, -1.9, 0}, {2.6, -1.2, 2}}};
    std::vector<double> areas;
    for (const Box& box : boxes)
        for (int axis = 0; axis < 3; ++axis) {
            const Vec3d size = box.high - box.low;
            areas.insert(areas.end(), 2, size[(axis + 1) % 3] * size[(axis + 2) % 3]);
        }
    areas.push_back(2 * std::numbers::pi * 0.3 * 3); // area of the column
    std::discrete_distribution<std::size_t> face(areas.begin(), areas.end());
    std::uniform_real_distribution<double> along(0, 1);
    std::normal_distribution<double> off(0, noise);
    std::vector<Vec3f> points;
    while (points.size() < count) {
        const std::size_t chosen = face(random);
        Vec3d p;
        if (chosen + 1 == areas.size()) {
            const double turn = 2 * std::numbers::pi * along(random);
            p = Vec3d{-0.5 + 0.3 * std::cos(turn), 0.9 + 0.3 * std::sin(turn), 3 * along(random)};
        } else {
            const Box& box = boxes[chosen / 6];
            for (int axis = 0; axis < 3; ++axis)
                p[axis] = box.low[axis] + (box.high[axis] - box.low[axis]) * along(random);
            const int axis = int(chosen / 2 % 3);
            p[axis] = chosen % 2 ? box.high[axis] : box.low[axis];
        }
        points.push_back((p + Vec3d{off(random), off(random), off(random)}).as<float>());
    }
    return points;
}

} // namespace

class TestFit : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_part = referenceOf(partModel({}));
        PartScanParams params;
        params.points = 30'000;
        const PointCloud scan = partScan(params, false, {}, {}); // a scan of the part with its eleven faults
        for (std::size_t i = 0; i < scan.size(); ++i)
            m_points.push_back(scan.position(i).as<float>());
    }

    void knownMotionsAreFoundAgain() {
        auto random = seededRandom("knownMotionsAreFoundAgain");
        int found = 0;
        constexpr int rounds = 20;
        double worst = 0;
        for (int round = 0; round < rounds; ++round) {
            const RigidTransform away = motionOf(random, 8, 0.006);
            std::vector<Vec3f> moved;
            for (const Vec3f p : m_points)
                moved.push_back(away(p.as<double>()).as<float>());
            FitOptions options;
            options.maxPoints = 5000;
            const Fit fit = fitToReference(moved, m_part, options, {});
            const double error = apart(fit.motion * away, {});
            if (error < 1e-4 && fit.hasConverged && fit.weakDirections == 0) {
                ++found;
                worst = std::max(worst, error);
            }
        }
        qInfo("%d of %d starts within 6 mm and 8 degrees; at most %.2g mm off", found, rounds, 1000 * worst);
        QVERIFY(found >= rounds * 9 / 10);
        QVERIFY(worst < 2e-5); // remaining error with 0.05 mm of noise and faults of up to 3 mm
    }

    void whatDoesNotBelongToTheMeshIsLeftOut() {
        auto random = seededRandom("whatDoesNotBelongToTheMeshIsLeftOut");
        const RigidTransform away = motionOf(random, 2, 0.002);
        std::vector<Vec3f> moved;
        for (const Vec3f p : m_points)
            moved.push_back(away(p.as<double>()).as<float>());
        // a third of all points are outliers
        for (const Vec3f p : randomPoints(random, m_points.size() / 2, 0.05f))
            moved.push_back(p + Vec3f{0, 0, 0.08f});
        const Fit fit = fitToReference(moved, m_part, {}, {});
        QVERIFY2(apart(fit.motion * away, {}) < 5e-5,
                 qPrintable(QString::number(apart(fit.motion * away, {}))));
        QVERIFY(fit.share < 0.75);
    }

    void whatReachesOverABorderDoesNotPull() {
        auto random = seededRandom("overhang");
        std::uniform_real_distribution<double> along(0, 1);
        std::normal_distribution<double> noise(0, 0.002);
        std::vector<Vec3f> points; // a scan of a wall of 4 x 2 m, whose model only has the left half
        for (int i = 0; i < 20'000; ++i)
            points.push_back(Vec3d{4 * along(random), 2 * along(random), 0.03 + noise(random)}.as<float>());
        const Reference half = referenceOf(sheet(2, 2));
        for (const FitMethod method : {FitMethod::pointToPlane, FitMethod::generalized}) {
            FitOptions options;
            options.method = method;
            const Fit fit = fitToReference(points, half, options, {});
            QCOMPARE(fit.weakDirections, 3); // two shifts along the wall, and the rotation within its plane
            const Vec3d middle = fit.motion(Vec3d{1, 1, 0.03});
            QVERIFY2(norm(middle - Vec3d{1, 1, 0}) < 2e-3, qPrintable(QString::number(norm(middle))));
        }
    }

    /// The results of fits with different noise scatter as their covariance predicts.
    void covariancesHold() {
        auto random = seededRandom("covariancesHold");
        const TriangleMesh model = partModel({});
        const Reference part = referenceOf(partModel({}));
        const Buffer<Vec3f> places = placesOn(model, 1500, {});
        std::normal_distribution<double> noise(0, 0.0003);
        for (const RobustKernel robust : {RobustKernel::none, RobustKernel::huber, RobustKernel::cauchy,
                                          RobustKernel::tukey, RobustKernel::gemanMcClure}) {
            double seen = 0, told = 0;
            constexpr int rounds = 12;
            for (int round = 0; round < rounds; ++round) {
                std::vector<Vec3f> points;
                for (const Vec3f p : places.span())
                    points.push_back(
                        (p.as<double>() + Vec3d{noise(random), noise(random), noise(random)}).as<float>());
                FitOptions options;
                options.robust = robust;
                const Fit fit = fitToReference(points, part, options, {});
                const Vec3d middle = fit.middle, before = fit.motion.inverse()(middle);
                seen += squaredNorm(middle - before);
                told += fit.shiftDeviation() * fit.shiftDeviation();
            }
            const double ratio = std::sqrt(seen / told);
            qInfo("%s: fits scatter %.2f times as much as told", kRobustKernelKeys[int(robust)], ratio);
            QVERIFY2(ratio > 0.55 && ratio < 1.7, qPrintable(QString::number(ratio)));
        }
    }

    void neighboursOutOfRangeAreRefused() {
        const Reference part = referenceOf(partModel({}));
        for (const int neighbours : {-1, 0, 2, 33, 100}) {
            FitOptions options;
            options.neighbours = neighbours;
            options.method = FitMethod::generalized;
            QVERIFY_EXCEPTION_THROWN(fitToReference(m_points, part, options, {}), EngineError);
        }
    }

    void planesHoldThreeDirections() {
        const Reference plane =
            referenceOf(meshOf({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {0, 1, 2, 0, 2, 3}));
        auto random = seededRandom("planesHoldThreeDirections");
        std::vector<Vec3f> points;
        for (const Vec3f p : randomPoints(random, 2000, 0.5f))
            points.push_back({p.x, p.y, 0.01f + 0.02f * p.x});
        const Fit fit = fitToReference(points, plane, {}, {});
        QCOMPARE(fit.weakDirections, 3);
        QVERIFY(fit.hasConverged && fit.after < 1e-7);
    }

    void scansOntoScans_data() {
        QTest::addColumn<FitMethod>("method");
        QTest::newRow("point to plane") << FitMethod::pointToPlane;
        QTest::newRow("generalized") << FitMethod::generalized;
    }
    /// 30,000 points of a furnished room, with 1 cm of noise in both scans.
    void scansOntoScans() {
        QFETCH(FitMethod, method);
        auto random = seededRandom("scansOntoScans");
        const Reference reference = referenceOf(roomScan(random, 30'000, 0.01));
        const std::vector<Vec3f> scan = roomScan(random, 30'000, 0.01);
        int found = 0;
        constexpr int rounds = 6;
        double worst = 0;
        for (int round = 0; round < rounds; ++round) {
            const RigidTransform away = motionOf(random, 10 / std::sqrt(3.0), 0.3 / std::sqrt(3.0));
            FitOptions options;
            options.method = method;
            const Fit fit = fitToReference(movedBy(away, scan), reference, options, {});
            const double error = norm((fit.motion * away)(Vec3d{}));
            if (error < 0.05) {
                ++found;
                worst = std::max(worst, error);
                QVERIFY(fit.hasConverged);
                QCOMPARE(fit.weakDirections, 0);
                QVERIFY(fit.shiftDeviation() > 1e-5 && fit.shiftDeviation() < 1e-3);
            }
        }
        qInfo("%d of %d starts within 0.3 m and 10 degrees; at most %.2g mm off", found, rounds,
              1000 * worst);
        QCOMPARE(found, rounds);
        QVERIFY(worst < 1e-3);
    }

    void theSizeIsFittedWhereItIsFree() {
        auto random = seededRandom("theSizeIsFittedWhereItIsFree");
        const Reference reference = referenceOf(roomScan(random, 30'000, 0.002));
        std::vector<Vec3f> scan = movedBy(motionOf(random, 2, 0.05), roomScan(random, 20'000, 0.002));
        for (Vec3f& p : scan)
            p = p * 0.98f;
        FitOptions options;
        options.scales = true;
        const Fit fit = fitToReference(scan, reference, options, {});
        QVERIFY2(std::abs(fit.scale * 0.98 - 1) < 2e-4, qPrintable(QString::number(fit.scale * 0.98)));
        QVERIFY(fit.after < 0.002);
        options.scales = false;
        QCOMPARE(fitToReference(scan, reference, options, {}).scale, 1.0);
    }

    /// Most points are on the ground around the scanner. Walls that are off by half a metre must still be
    /// aligned.
    void nearPointsDoNotOutweighTheRest() {
        auto random = seededRandom("nearPointsDoNotOutweighTheRest");
        const auto street = [&] {
            std::uniform_real_distribution<double> turn(-std::numbers::pi, std::numbers::pi), along(0, 1);
            std::normal_distribution<double> noise(0, 0.002);
            std::vector<Vec3f> points;
            for (int i = 0; i < 60'000; ++i) { // rings on the ground, denser towards the scanner
                const double a = turn(random), r = 3 + 7 * std::pow(along(random), 4);
                points.push_back(Vec3d{r * std::cos(a), r * std::sin(a), -1.8 + noise(random)}.as<float>());
            }
            for (int i = 0; i < 6000; ++i) { // walls on both sides, with a niche every few metres
                const double x = 60 * (along(random) - 0.5), side = i % 2 ? 9 : -11,
                             z = 6 * along(random) - 1.8;
                const double deep = std::fmod(x + 30, 7.0) < 1.5 ? 0.8 : 0;
                points.push_back(Vec3d{x, side + (side > 0 ? deep : -deep) + noise(random), z}.as<float>());
                if (i % 4 == 0) // the side walls of a niche
                    points.push_back(Vec3d{7.0 * int(8 * along(random)) - 30,
                                           side + (side > 0 ? 0.8 : -0.8) * along(random), z}
                                         .as<float>());
            }
            return points;
        };
        const Reference reference = referenceOf(street());
        const RigidTransform away = fromRollPitchYaw({0, 0, 0.01}, {0.45, 0.1, 0.01});
        const std::vector<Vec3f> scan = movedBy(away, street());
        for (const FitMethod method : {FitMethod::pointToPlane, FitMethod::generalized}) {
            FitOptions options;
            options.method = method;
            const Fit fit = fitToReference(scan, reference, options, {});
            QVERIFY2(norm((fit.motion * away)(Vec3d{})) < 0.02,
                     qPrintable(QString::number(norm((fit.motion * away)(Vec3d{})))));
        }
    }

    void planesDoNotTellTheSize() {
        auto random = seededRandom("planesDoNotTellTheSize");
        std::normal_distribution<float> noise(0, 0.01f);
        std::vector<Vec3f> wall, scan;
        for (auto* points : {&wall, &scan})
            for (const Vec3f p : randomPoints(random, 20'000, 1))
                points->push_back({p.x, p.y, noise(random)});
        FitOptions options;
        options.scales = true;
        const Fit fit = fitToReference(scan, referenceOf(wall), options, {});
        QVERIFY2(std::abs(fit.scale - 1) < 1e-4, qPrintable(QString::number(fit.scale)));
        QCOMPARE(fit.weakDirections, 4); // two shifts, a rotation, and the size
        QVERIFY(std::abs(fit.motion.translation.z) < 0.001);
    }

    void removedPointsDoNotCount() {
        auto random = seededRandom("removedPointsDoNotCount");
        const Reference reference = referenceOf(roomScan(random, 30'000, 0.005));
        const RigidTransform away = motionOf(random, 3, 0.1);
        std::vector<Vec3f> scan = movedBy(away, roomScan(random, 30'000, 0.005));
        for (std::size_t i = 0; i < scan.size(); i += 3)
            scan[i] = {kCutAway, kCutAway, kCutAway};
        for (const FitMethod method : {FitMethod::pointToPlane, FitMethod::generalized}) {
            FitOptions options;
            options.method = method;
            const Fit fit = fitToReference(scan, reference, options, {});
            QVERIFY(norm((fit.motion * away)(Vec3d{})) < 1e-3);
        }
    }

    void halfAnOverlapIsEnough() {
        auto random = seededRandom("halfAnOverlapIsEnough");
        const Reference reference = referenceOf(roomScan(random, 30'000, 0.005));
        std::vector<Vec3f> scan = roomScan(random, 20'000, 0.005);
        const std::size_t shared = scan.size();
        for (const Vec3f p : randomPoints(random, shared, 2)) // points outside of the room
            scan.push_back(p + Vec3f{9, 0, 0});
        const RigidTransform away = motionOf(random, 3, 0.1);
        for (const RobustKernel robust :
             {RobustKernel::tukey, RobustKernel::huber, RobustKernel::gemanMcClure}) {
            FitOptions options;
            options.overlap = 0.5;
            options.robust = robust;
            const Fit fit = fitToReference(movedBy(away, scan), reference, options, {});
            QVERIFY2(norm((fit.motion * away)(Vec3d{})) < 2e-3,
                     qPrintable(QString::number(norm((fit.motion * away)(Vec3d{})))));
            QVERIFY(fit.share <= 0.51);
        }
    }

    void overlapIsAShareOfAllPoints() {
        // a corner of three walls; half of the points lie beyond the border of its floor and have no
        // counterpart
        auto random = seededRandom("overlapIsAShareOfAllPoints");
        TriangleMesh corner;
        corner.positions = hostCopy(std::span<const Vec3f>(
            std::vector<Vec3f>{{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 3}, {3, 0, 3}, {0, 3, 3}}));
        corner.indices = hostCopy(std::span<const std::uint32_t>(
            std::vector<std::uint32_t>{0, 1, 2, 0, 2, 3, 0, 4, 5, 0, 5, 1, 0, 3, 6, 0, 6, 4}));
        std::uniform_real_distribution<float> along(0.05f, 2.95f);
        std::vector<Vec3f> scan;
        for (int i = 0; i < 3000; ++i) {
            scan.push_back({along(random), along(random), 0});
            scan.push_back({along(random), 0, along(random)});
            scan.push_back({0, along(random), along(random)});
            for (int k = 0; k < 3; ++k)
                scan.push_back({3.2f + along(random), along(random), 0});
        }
        const RigidTransform away = motionOf(random, 1, 0.02);
        FitOptions options;
        options.overlap = 0.5;
        const Fit fit = fitToReference(movedBy(away, scan), referenceOf(std::move(corner)), options, {});
        QVERIFY2(fit.share > 0.45 && fit.share <= 0.51, qPrintable(QString::number(fit.share)));
        QVERIFY(norm((fit.motion * away)(Vec3d{})) < 1e-3);
    }

    void bothBackendsFindTheSame() {
        if (std::string why; !haveCudaDevice(why))
            QSKIP(why.c_str());
        auto random = seededRandom("bothBackendsFindTheSame");
        const Reference room = referenceOf(roomScan(random, 30'000, 0.01));
        const std::vector<Vec3f> scan = movedBy(motionOf(random, 5, 0.1), roomScan(random, 30'000, 0.01));
        const std::vector<Vec3f> part = movedBy(motionOf(random, 3, 0.003), m_points);
        const Stream stream;
        const auto same = [&](const std::vector<Vec3f>& points, const Reference& reference,
                              FitMethod method) {
            FitOptions options;
            options.method = method;
            const Fit one = fitToReference(points, reference, options, {}),
                      other = fitToReference(points, reference, options, {stream.view(), {}});
            return one.motion == other.motion && one.after == other.after &&
                   one.covariance == other.covariance && one.iterations == other.iterations;
        };
        for (const FitMethod method : {FitMethod::pointToPlane, FitMethod::generalized}) {
            QVERIFY(same(scan, room, method));
            QVERIFY(same(part, m_part, method));
        }
    }

    void whatCanNotBeFittedIsSaid() {
        QVERIFY_EXCEPTION_THROWN(fitToReference({}, m_part, {}, {}), EngineError);
        QVERIFY_EXCEPTION_THROWN(fitToReference(std::vector<Vec3f>(100), m_part, {}, {}), EngineError);
        FitOptions near;
        near.largest = 0.001;
        std::vector<Vec3f> far = m_points;
        for (Vec3f& p : far)
            p = p + Vec3f{1, 0, 0};
        QVERIFY_EXCEPTION_THROWN(fitToReference(far, m_part, near, {}), EngineError);
    }

    void motionsInTheScansFrame() {
        auto random = seededRandom("motionsInTheScansFrame");
        const RigidTransform motion = motionOf(random, 20, 1);
        const Vec3d origin{1000, 2000, 30}, p{1.5, -2, 0.25};
        QVERIFY(norm(inScanFrame(motion, 1, origin).motion(p + origin) - (motion(p) + origin)) < 1e-9);
        const FitInScanFrame grown = inScanFrame(motion, 1.25, origin);
        QVERIFY(norm(grown.motion(p + origin) / grown.referenceScale - (motion(p) * 1.25 + origin)) < 1e-9);
    }

private:
    Reference m_part;
    std::vector<Vec3f> m_points;
};

SCANLOUPE_TEST(TestFit)
#include "test_fit.moc"
