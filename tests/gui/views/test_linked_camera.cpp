// The linked camera: invariants of each move.
#include "engine/picture/view.h"
#include "gui/views/linked_camera.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/support/test_support.h"

#include <QSignalSpy>
#include <cmath>
#include <numbers>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

const QSizeF kView(640, 480);
const Bounds kBox{{1000, -40, -2}, {1100, 60, 18}};

QPointF pixelOf(const LinkedCamera& camera, Vec3d p) {
    return CameraFrame(camera.camera(), kView).project(p);
}
bool near(QPointF a, QPointF b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y()) < 1e-4;
}
double horizonTilt(const LinkedCamera& camera) {
    return std::abs(CameraFrame(camera.camera(), kView).right.z);
}

} // namespace

class TestLinkedCamera : public QObject {
    Q_OBJECT

private:
    static void addKinds() {
        QTest::addColumn<bool>("orthographic");
        QTest::newRow("perspective") << false;
        QTest::newRow("orthographic") << true;
    }
    static void prepare(LinkedCamera& camera) {
        QFETCH(bool, orthographic);
        camera.setBounds(kBox);
        camera.setOrthographic(orthographic);
        camera.fit(kView.width() / kView.height());
    }

private slots:
    void agreesWithTheRasterizersProjection_data() { addKinds(); }
    void agreesWithTheRasterizersProjection() {
        LinkedCamera camera;
        prepare(camera);
        const Projection projection(camera.camera(), 640, 480);
        const CameraFrame frame(camera.camera(), kView);
        QVERIFY(std::abs(projection.scale - frame.scale) < 1e-3 * frame.scale);
        QVERIFY(std::abs(projection.nearPlane - frame.nearPlane) < 1e-3 * frame.nearPlane);
        QVERIFY(norm(projection.right.as<double>() - frame.right) < 1e-6);
        QVERIFY(norm(projection.down.as<double>() - frame.down) < 1e-6);
    }

    void fitShowsAllCorners_data() { addKinds(); }
    void fitShowsAllCorners() {
        LinkedCamera camera;
        prepare(camera);
        for (const auto view :
             {StandardView::oblique, StandardView::top, StandardView::bottom, StandardView::front,
              StandardView::back, StandardView::left, StandardView::right}) {
            camera.show(view, 4.0 / 3);
            double nearest = kView.width(); // smallest distance of a corner from the picture's border
            for (int i = 0; i < 8; ++i) {
                const Vec3d corner{i & 1 ? kBox.max.x : kBox.min.x, i & 2 ? kBox.max.y : kBox.min.y,
                                   i & 4 ? kBox.max.z : kBox.min.z};
                const QPointF p = pixelOf(camera, corner);
                QVERIFY2(QRectF({0, 0}, kView).contains(p), qPrintable(QString::number(int(view))));
                QVERIFY(CameraFrame(camera.camera(), kView).inView(corner).z > 0);
                nearest = std::min({nearest, p.x(), p.y(), kView.width() - p.x(), kView.height() - p.y()});
            }
            QVERIFY(nearest < 0.05 * kView.width());
        }
    }

    void fitFollowsTheFramingThatItIsGiven() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        camera.setFraming([](Camera shown, double) {
            shown.eye = shown.eye + (shown.target - shown.eye) * 0.5;
            return shown;
        });
        camera.fit(1);
        const double framed = CameraFrame(camera.camera(), kView).distance;
        camera.setFraming(nullptr);
        camera.fit(1);
        QVERIFY(std::abs(framed - CameraFrame(camera.camera(), kView).distance / 2) < 1e-6);
    }

    void standardViewsLookAlongTheirAxes() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        const auto forward = [&](StandardView view) {
            camera.show(view, 1);
            return CameraFrame(camera.camera(), kView).forward;
        };
        QVERIFY(norm(forward(StandardView::top) - Vec3d{0, 0, -1}) < 1e-9);
        QVERIFY(norm(CameraFrame(camera.camera(), kView).right - Vec3d{1, 0, 0}) < 1e-9);
        QVERIFY(norm(forward(StandardView::front) - Vec3d{0, 1, 0}) < 1e-9);
        QVERIFY(norm(forward(StandardView::right) - Vec3d{-1, 0, 0}) < 1e-9);
    }

    void standardViewsAndOrbitsFollowUp() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        for (const UpAxis up :
             {UpAxis::x, UpAxis::minusX, UpAxis::y, UpAxis::minusY, UpAxis::z, UpAxis::minusZ}) {
            camera.setUp(up);
            const auto frame = [&] { return CameraFrame(camera.camera(), kView); };
            for (const auto& [view, forward] : {std::pair(StandardView::top, Vec3d{0, 0, -1}),
                                                {StandardView::front, Vec3d{0, 1, 0}},
                                                {StandardView::left, Vec3d{1, 0, 0}}}) {
                camera.show(view, 1);
                QVERIFY(norm(frame().forward - fromZUp(forward, up)) < 1e-9);
                const Camera shown = camera.camera();
                // a camera from a recipe: orbits keep its up direction, also in a plan view
                camera.setCamera(shown);
                for (const QPointF drag : {QPointF(30, -20), QPointF(-80, 35)}) {
                    camera.orbit(shown.target, drag, kView);
                    QVERIFY(std::abs(dot(frame().right, upVector(up))) < 1e-9);
                    QVERIFY(dot(frame().down, upVector(up)) < 0);
                }
            }
        }
    }

    void turningUpKeepsTheSide() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        camera.show(StandardView::oblique, 1);
        const Camera before = camera.camera();
        camera.rotateToUp(UpAxis::minusY);
        const Camera after = camera.camera();
        QVERIFY(after.target == before.target);
        QVERIFY(norm(toZUp(after.eye - after.target, UpAxis::minusY) - (before.eye - before.target)) < 1e-9);
        QVERIFY(after.up == upVector(UpAxis::minusY));
        camera.rotateToUp(UpAxis::z);
        QVERIFY(norm(camera.camera().eye - before.eye) < 1e-9 && camera.camera().up == before.up);
    }

    void turningUpHeedsADepthCamerasOwn() {
        Camera sensor;
        sensor.eye = {0, 0, 0};
        sensor.target = {0, 0, 2};
        sensor.up = {0, -1, 0};
        LinkedCamera right;
        right.setCamera(sensor);
        right.rotateToUp(UpAxis::minusY); // "up" as it appears in the picture
        QVERIFY(right.camera() == sensor);
        right.orbit(sensor.target, {5, 0}, kView);
        QVERIFY(std::abs(CameraFrame(right.camera(), kView).right.y) < 1e-9);
        LinkedCamera other;
        other.setCamera(sensor);
        other.rotateToUp(UpAxis::x);
        QVERIFY(other.camera().up == upVector(UpAxis::x));
        const Vec3d ahead = other.camera().target - other.camera().eye;
        QVERIFY(std::abs(ahead.x) < 1e-9 && std::abs(norm(ahead) - 2) < 1e-9); // the view is level, as before
        other.orbit(sensor.target, {5, 3}, kView);
        QVERIFY(std::abs(CameraFrame(other.camera(), kView).right.x) < 1e-9);
    }

    void orbitKeepsThePivotsPixel_data() { addKinds(); }
    void orbitKeepsThePivotsPixel() {
        LinkedCamera camera;
        prepare(camera);
        const Vec3d pivot{1020, 10, 4};
        const QPointF before = pixelOf(camera, pivot);
        for (const QPointF drag : {QPointF(40, 10), QPointF(-300, 25), QPointF(3, -90), QPointF(0, 2000),
                                   QPointF(17, -4000), QPointF(200, 5)}) {
            camera.orbit(pivot, drag, kView);
            QVERIFY(near(pixelOf(camera, pivot), before));
            QVERIFY(horizonTilt(camera) < 1e-9);
        }
    }

    void orbitStopsAtThePoles() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        const Vec3d pivot = camera.camera().target;
        Vec3d lastRight = CameraFrame(camera.camera(), kView).right;
        for (int i = 0; i < 200; ++i) { // orbits across the pole: nothing may flip
            camera.orbit(pivot, {0, 11}, kView);
            const CameraFrame frame(camera.camera(), kView);
            QVERIFY(dot(frame.right, lastRight) > 0.999);
            QVERIFY(frame.down.z < 1e-9);
            lastRight = frame.right;
        }
        QVERIFY(CameraFrame(camera.camera(), kView).forward.z < -0.99999);
        camera.orbit(pivot, {90, 0}, kView); // at the pole, a rotation still works
        QVERIFY(dot(CameraFrame(camera.camera(), kView).right, lastRight) < 0.95);
        Projection(camera.camera(), 64, 64); // the constructor throws if up is parallel to the view
    }

    void orbitTurnsHalfAcrossTheView() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        camera.show(StandardView::front, 1);
        const Vec3d pivot = camera.camera().target;
        camera.orbit(pivot, {kView.width(), 0}, kView);
        QVERIFY(norm(CameraFrame(camera.camera(), kView).forward - Vec3d{0, -1, 0}) < 1e-9);
        camera.show(StandardView::front, 1);
        const double before = pixelOf(camera, pivot + Vec3d{0, -5, 0}).x();
        camera.orbit(pivot, {20, 0}, kView); // points in front of the pivot follow the mouse
        QVERIFY(pixelOf(camera, pivot + Vec3d{0, -5, 0}).x() > before);
    }

    void depthCamerasOrbitAboutTheirOwnUp() {
        LinkedCamera camera;
        Camera sensor;
        sensor.eye = {0, 0, 0};
        sensor.target = {0, 0, 2};
        sensor.up = {0, -1, 0};
        camera.setCamera(sensor);
        camera.orbit({0, 0, 2}, {5, 0}, kView);
        const CameraFrame frame(camera.camera(), kView);
        QVERIFY(frame.down.y > 0.99 && frame.forward.z > 0.9);
    }

    void panFollowsTheHand_data() { addKinds(); }
    void panFollowsTheHand() {
        LinkedCamera camera;
        prepare(camera);
        const Vec3d anchor{1080, 20, 2};
        const QPointF before = pixelOf(camera, anchor), drag(33, -71);
        camera.pan(anchor, drag, kView);
        QVERIFY(near(pixelOf(camera, anchor), before + drag));
    }

    void zoomKeepsTheAnchorsPixel_data() { addKinds(); }
    void zoomKeepsTheAnchorsPixel() {
        LinkedCamera camera;
        prepare(camera);
        const Vec3d anchor{1080, 20, 2}, other{1070, 20, 2};
        const QPointF before = pixelOf(camera, anchor);
        const QPointF apart = pixelOf(camera, other) - before;
        for (const double factor : {0.5, 0.9, 1.7, 0.2}) {
            camera.zoom(anchor, factor);
            QVERIFY(near(pixelOf(camera, anchor), before));
        }
        const QPointF now = pixelOf(camera, other) - before;
        QVERIFY(std::hypot(now.x(), now.y()) > 3 * std::hypot(apart.x(), apart.y()));
        for (int i = 0; i < 400; ++i)
            camera.zoom(anchor, 0.5); // ends somewhere that can still be drawn
        Projection(camera.camera(), 64, 64);
        for (int i = 0; i < 400; ++i)
            camera.zoom(anchor, 2);
        Projection(camera.camera(), 64, 64);
        camera.zoom(anchor, -1);
        camera.zoom(anchor, std::nan(""));
        Projection(camera.camera(), 64, 64);
    }

    void orthographicKeepsTheTargetsSize() {
        LinkedCamera camera;
        camera.setBounds(kBox);
        camera.fit(4.0 / 3);
        const Vec3d target = camera.camera().target,
                    aside = target + CameraFrame(camera.camera(), kView).right;
        const QPointF before = pixelOf(camera, aside);
        camera.setOrthographic(true);
        QVERIFY(near(pixelOf(camera, aside), before));
        QVERIFY(CameraFrame(camera.camera(), kView).inView(kBox.min).z > 0);
        camera.zoom(target, 0.5);
        const QPointF nearer = pixelOf(camera, aside);
        camera.setOrthographic(false);
        QVERIFY(near(pixelOf(camera, aside), nearer));
    }

    void raysRunThroughTheirPixels_data() { addKinds(); }
    void raysRunThroughTheirPixels() {
        LinkedCamera camera;
        prepare(camera);
        const QPointF pixel(123.5, 400.5);
        const auto ray = camera.rayThrough(pixel, kView);
        QVERIFY(near(pixelOf(camera, ray.origin + ray.direction * 37), pixel));
        QVERIFY(near(pixelOf(camera, camera.pointAtTargetDepth(pixel, kView)), pixel));
    }

    void signalsOncePerChange() {
        LinkedCamera camera;
        QSignalSpy changed(&camera, &LinkedCamera::changed), moving(&camera, &LinkedCamera::movingChanged);
        camera.show(StandardView::top, 1);
        QCOMPARE(changed.size(), 1);
        camera.setCamera(camera.camera());
        QCOMPARE(changed.size(), 1);
        camera.beginMove();
        camera.beginMove();
        camera.endMove();
        camera.endMove();
        QCOMPARE(moving.size(), 2);
    }
};

SCANLOUPE_TEST(TestLinkedCamera)
#include "test_linked_camera.moc"
