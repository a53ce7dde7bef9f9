// Bringing points onto a mesh: known motions are found again, outliers and weak directions are told.
#include "engine/cloud/error.h"
#include "engine/inspect/fit_to_mesh.h"
#include "engine/synth/synthetic_part.h"
#include "tests/kernels/mesh/mesh_shapes.h"
#include "tests/support/test_support.h"

#include <cmath>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::test;

namespace {

ReferenceMesh referenceOf(TriangleMesh mesh) {
    ReferenceMesh reference;
    reference.mesh = weldedMesh(mesh, {});
    reference.tree = cpu::buildTriangleBvh(reference.mesh, {});
    reference.normals = pseudonormalsOf(reference.mesh, {});
    return reference;
}

/// A motion at random: turned by up to `degrees`, shifted by up to `shift` along each axis.
RigidTransform motionOf(std::mt19937_64& random, double degrees, double shift) {
    std::uniform_real_distribution<double> along(-1, 1);
    const auto three = [&](double size) { return Vec3d{along(random), along(random), along(random)} * size; };
    return fromRollPitchYaw(three(degrees * std::numbers::pi / 180), three(shift));
}

/// How far two motions take the corners of a box of the part's size apart.
double apart(const RigidTransform& a, const RigidTransform& b) {
    double most = 0;
    for (const double x : {-0.06, 0.06})
        for (const double y : {-0.04, 0.04})
            for (const double z : {-0.006, 0.02})
                most = std::max(most, norm(a(Vec3d{x, y, z}) - b(Vec3d{x, y, z})));
    return most;
}

} // namespace

class TestFitToMesh : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        m_part = referenceOf(partModel({}));
        PartScanParams params;
        params.points = 30'000;
        const PointCloud scan = partScan(params, false, {}, {}); // with its eleven faults
        for (std::size_t i = 0; i < scan.size(); ++i)
            m_points.push_back(scan.position(i).as<float>());
    }

    void knownMotionsAreFoundAgain() {
        auto random = seededRandom("knownMotionsAreFoundAgain");
        int found = 0;
        constexpr int rounds = 40;
        double worst = 0;
        for (int round = 0; round < rounds; ++round) {
            const RigidTransform away = motionOf(random, 8, 0.006);
            std::vector<Vec3f> moved;
            for (const Vec3f p : m_points)
                moved.push_back(away(p.as<double>()).as<float>());
            FitOptions options;
            options.mostPoints = 5000;
            const MeshFit fit = fitToMesh(moved, m_part, options, {});
            const double error = apart(fit.motion * away, {});
            if (error < 1e-4 && fit.hasConverged && fit.weakDirections == 0) {
                ++found;
                worst = std::max(worst, error);
            }
        }
        qInfo("%d of %d starts within 6 mm and 8 degrees; at most %.2g mm off", found, rounds, 1000 * worst);
        QVERIFY(found >= rounds * 9 / 10);
        QVERIFY(worst < 2e-5); // 0.05 mm of noise, and faults of up to 3 mm
    }

    void whatDoesNotBelongToTheMeshIsLeftOut() {
        auto random = seededRandom("whatDoesNotBelongToTheMeshIsLeftOut");
        const RigidTransform away = motionOf(random, 2, 0.002);
        std::vector<Vec3f> moved;
        for (const Vec3f p : m_points)
            moved.push_back(away(p.as<double>()).as<float>());
        for (const Vec3f p : randomPoints(random, m_points.size() / 2, 0.05f)) // a third
            moved.push_back(p + Vec3f{0, 0, 0.08f});
        const MeshFit fit = fitToMesh(moved, m_part, {}, {});
        QVERIFY2(apart(fit.motion * away, {}) < 5e-5,
                 qPrintable(QString::number(apart(fit.motion * away, {}))));
        QVERIFY(fit.share < 0.75);
    }

    void planesHoldThreeDirections() {
        const ReferenceMesh plane =
            referenceOf(meshOf({{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}}, {0, 1, 2, 0, 2, 3}));
        auto random = seededRandom("planesHoldThreeDirections");
        std::vector<Vec3f> points;
        for (const Vec3f p : randomPoints(random, 2000, 0.5f))
            points.push_back({p.x, p.y, 0.01f + 0.02f * p.x});
        const MeshFit fit = fitToMesh(points, plane, {}, {});
        QCOMPARE(fit.weakDirections, 3);
        QVERIFY(fit.hasConverged && fit.after < 1e-7);
    }

    void whatCanNotBeFittedIsSaid() {
        QVERIFY_EXCEPTION_THROWN(fitToMesh({}, m_part, {}, {}), EngineError);
        QVERIFY_EXCEPTION_THROWN(fitToMesh(std::vector<Vec3f>(100), m_part, {}, {}), EngineError);
        FitOptions near;
        near.largest = 0.001;
        std::vector<Vec3f> far = m_points;
        for (Vec3f& p : far)
            p = p + Vec3f{1, 0, 0};
        QVERIFY_EXCEPTION_THROWN(fitToMesh(far, m_part, near, {}), EngineError);
    }

    void motionsInTheScansFrame() {
        auto random = seededRandom("motionsInTheScansFrame");
        const RigidTransform motion = motionOf(random, 20, 1);
        const Vec3d origin{1000, 2000, 30}, p{1.5, -2, 0.25};
        QVERIFY(norm(inScanFrame(motion, origin)(p + origin) - (motion(p) + origin)) < 1e-9);
    }

private:
    ReferenceMesh m_part;
    std::vector<Vec3f> m_points;
};

QTEST_APPLESS_MAIN(TestFitToMesh)
#include "test_fit_to_mesh.moc"
