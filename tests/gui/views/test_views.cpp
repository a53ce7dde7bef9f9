// The views in real windows: drawing, picking, mouse interaction.
#include "engine/io/common/view_detail.h"
#include "engine/results/snapshot.h"
#include "gui/opengl/opengl_probe.h"
#include "gui/views/scene/camera_frame.h"
#include "tests/gui/views/view_window.h"
#include "tests/support/fake_stream.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QWheelEvent>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestViews : public QObject {
    Q_OBJECT

private:
    SnapshotPtr m_street, m_bumpy;

    static Camera streetCamera() {
        Camera camera;
        camera.eye = {-6, -3, 4};
        camera.target = {4, 1, 1};
        return camera;
    }
    /// Compares a complete OpenGL view with the software picture of the same camera and size.
    static void compare(ViewWindow& w, GlView& view, const SnapshotPtr& snapshot, PictureContent show,
                        bool eyeDome, const char* name, double maxDifference) {
        const auto drawn = withPicture(snapshot, show, w.camera.camera(), view.size(), eyeDome);
        view.setSnapshot(drawn);
        QVERIFY(ViewWindow::waitUntilComplete(view));
        const QImage seen = ViewWindow::grab(view), expected = softwareImage(*drawn);
        keep(seen, QString(name) + "_gl");
        keep(expected, QString(name) + "_software");
        QVERIFY(drawnPixels(expected) > 5000);
        const double overlap = silhouetteOverlap(seen, expected), difference = meanDifference(seen, expected);
        qInfo("%s: overlap %.4f, mean difference %.2f", name, overlap, difference);
        QVERIFY(overlap >= 0.98);
        QVERIFY(difference < maxDifference);
    }

private slots:
    void initTestCase() {
        if (!openGlState().usable)
            QSKIP(qPrintable(openGlState().problem));
        qInfo("%s, %s", qPrintable(openGlState().renderer), qPrintable(openGlState().version));
        m_street = streetVoxels(200'000, 0.1f); // more boxes than one buffer has room for
        QVERIFY(m_street->voxels->size() > kBoxPage);
        m_bumpy = bumpyMesh(40'000);
    }

    void emptyViewsAreCalm() {
        ViewWindow w;
        QVERIFY(w.isShown());
        QVERIFY(QTest::qWaitFor([&] { return w.voxels->canvas()->isComplete(); }, 20000));
        w.setOverlay(false);
        QCOMPARE(drawnPixels(ViewWindow::grab(*w.voxels)), 0);
        QVERIFY(!w.voxels->pick({100, 100}));
        QVERIFY(!w.raster->pick({100, 100}));
    }

    void voxelsLookLikeTheSoftwarePicture_data() {
        QTest::addColumn<bool>("orthographic");
        QTest::addColumn<bool>("eyeDome");
        QTest::addColumn<double>("scale");
        QTest::newRow("perspective") << false << false << 1.0;
        QTest::newRow("orthographic") << true << false << 1.0;
        QTest::newRow("shrunk") << false << false << 0.6;
        QTest::newRow("eye-dome") << false << true << 1.0;
        QTest::newRow("eye-dome, orthographic") << true << true << 1.0;
    }
    void voxelsLookLikeTheSoftwarePicture() {
        QFETCH(bool, orthographic);
        QFETCH(bool, eyeDome);
        QFETCH(double, scale);
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.camera.setBounds(boundsOf(*m_street));
        w.camera.setCamera(streetCamera());
        w.camera.setOrthographic(orthographic);
        const auto snapshot = withRecipe(m_street, [&](Recipe& r) { r.voxelScale = scale; });
        compare(w, *w.voxels, snapshot, PictureContent::voxels, eyeDome, QTest::currentDataTag(), 4);
    }

    void meshLooksLikeTheSoftwarePicture_data() { voxelsLookLikeTheSoftwarePicture_data(); }
    void meshLooksLikeTheSoftwarePicture() {
        QFETCH(bool, orthographic);
        QFETCH(bool, eyeDome);
        QFETCH(double, scale);
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.camera.setOrthographic(orthographic);
        const auto snapshot = withRecipe(m_bumpy, [&](Recipe& r) { r.backFaces = scale == 1; });
        compare(w, *w.mesh, snapshot, PictureContent::mesh, eyeDome,
                qPrintable(QString("mesh ") + QTest::currentDataTag()), 4);
    }

    void farFromTheOriginNothingJitters() {
        // coordinates are exact up to some size: single precision alone would jitter here
        auto moved = std::make_shared<Snapshot>(*m_bumpy);
        TriangleMesh mesh;
        mesh.positions = hostCopy(m_bumpy->mesh->positions.span());
        mesh.normals = hostCopy(m_bumpy->mesh->normals.span());
        mesh.indices = hostCopy(m_bumpy->mesh->indices.span());
        for (Vec3f& p : mesh.positions.span())
            p += Vec3f{4000, -3000, 200};
        moved->mesh = DeviceOrHost(std::move(mesh));
        moved->identities[std::size_t(Stage::extract)] = moved->mesh.identity();
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*moved));
        compare(w, *w.mesh, moved, PictureContent::mesh, false, "far", 4);
    }

    void picksWhatTheVisibilityBufferHolds_data() {
        QTest::addColumn<bool>("voxels");
        QTest::addColumn<bool>("orthographic");
        QTest::newRow("voxels") << true << false;
        QTest::newRow("voxels, orthographic") << true << true;
        QTest::newRow("mesh") << false << false;
        QTest::newRow("mesh, orthographic") << false << true;
    }
    void picksWhatTheVisibilityBufferHolds() {
        QFETCH(bool, voxels);
        QFETCH(bool, orthographic);
        ViewWindow w;
        QVERIFY(w.isShown());
        const SnapshotPtr& scene = voxels ? m_street : m_bumpy;
        GlView& view = voxels ? static_cast<GlView&>(*w.voxels) : *w.mesh;
        w.lookAt(boundsOf(*scene));
        if (voxels)
            w.camera.setCamera(streetCamera());
        w.camera.setOrthographic(orthographic);
        const auto drawn = withPicture(scene, voxels ? PictureContent::voxels : PictureContent::mesh,
                                       w.camera.camera(), view.size());
        view.setSnapshot(drawn);
        w.raster->setSnapshot(drawn);
        QVERIFY(ViewWindow::waitUntilComplete(view));
        const VisibilityBuffer& buffer = drawn->picture->visibility.host();
        int same = 0, all = 0, placed = 0, hits = 0;
        for (int y = 7; y < view.height(); y += 29) {
            for (int x = 5; x < view.width(); x += 31) {
                const auto hit = view.pick({x + 0.5, y + 0.5});
                const std::uint32_t id = buffer.id(x, y);
                same += (hit ? primitiveId(hit->kind, hit->index) : 0u) == id;
                ++all;
                if (!hit || id == 0)
                    continue;
                ++hits;
                const auto software = w.raster->pick({x + 0.5, y + 0.5});
                QVERIFY(software);
                placed += norm(software->position - hit->position) <
                          0.01 * norm(hit->position - w.camera.camera().eye);
            }
        }
        qInfo("%d of %d pixels pick the same, %d of %d at the same place", same, all, placed, hits);
        QVERIFY(hits > 30);
        QVERIFY(same >= all * 0.98);
        QVERIFY(placed >= hits * 0.98);
    }

    void theOldPictureStaysUntilTheNewOneIsThere() {
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.mesh->setSnapshot(m_bumpy);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        const int before = drawnPixels(ViewWindow::grab(*w.mesh));
        w.mesh->setSnapshot(bumpyMesh(60'000));
        QVERIFY(!w.mesh->isComplete());
        int least = before;
        while (!w.mesh->isComplete()) {
            QTest::qWait(1);
            least = std::min(least, drawnPixels(ViewWindow::grab(*w.mesh)));
        }
        QVERIFY(least > before * 9 / 10);
        w.mesh->setSnapshot(nullptr);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QCOMPARE(drawnPixels(ViewWindow::grab(*w.mesh)), 0);
    }

    void theLastOfManySnapshotsIsShown() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_street));
        for (int i = 0; i < 20; ++i)
            w.voxels->setSnapshot(withRecipe(m_street, [&](Recipe& r) {
                r.colourMap = i % 2 ? ColourMapName::plasma : ColourMapName::viridis;
            }));
        const auto last = withRecipe(m_street, [](Recipe& r) {
            r.colourBy = "none";
            r.eyeDome = false;
        });
        w.setOverlay(false);
        w.voxels->setSnapshot(last);
        QVERIFY(ViewWindow::waitUntilComplete(*w.voxels));
        const QImage seen = ViewWindow::grab(*w.voxels);
        int grey = 0;
        for (int y = 0; y < seen.height(); ++y) {
            for (int x = 0; x < seen.width(); ++x) {
                const QRgb pixel = seen.pixel(x, y);
                grey += qRed(pixel) == qGreen(pixel) && qGreen(pixel) == qBlue(pixel);
            }
        }
        QVERIFY(grey > 1000);
        QCOMPARE(grey, drawnPixels(seen));
    }

    void wireframeDrawsEdges() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        const auto coarse = bumpyMesh(2'000);
        w.mesh->setSnapshot(coarse);
        w.mesh->setStyle({false, false});
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        const QImage plain = ViewWindow::grab(*w.mesh);
        w.mesh->setStyle({true, false});
        QVERIFY(!w.mesh->isComplete());
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        const QImage wired = ViewWindow::grab(*w.mesh);
        keep(wired, "wireframe");
        QVERIFY(silhouetteOverlap(plain, wired) > 0.98);
        QVERIFY(meanDifference(plain, wired) > 5);
    }

    void aMovedCameraMovesAllViews() {
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.mesh->setSnapshot(m_bumpy);
        QSignalSpy wanted(w.raster, &RasterView::pictureWanted);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        const QImage before = ViewWindow::grab(*w.mesh);
        w.camera.zoom(w.camera.camera().target, 2);
        QVERIFY(!w.mesh->isComplete());
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QVERIFY(drawnPixels(ViewWindow::grab(*w.mesh)) < drawnPixels(before) / 2);
        QTRY_VERIFY(!wanted.isEmpty());
        QCOMPARE(wanted.last().at(0).value<Camera>(), w.camera.camera());
        QCOMPARE(wanted.last().at(1).toSize(), w.raster->pixelSize());
    }

    void aPictureOnTheDeviceIsCopiedByAWorker() {
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.interop.setEnabled(false);
        w.lookAt(boundsOf(*m_bumpy));
        const auto drawn =
            withPicture(m_bumpy, PictureContent::mesh, w.camera.camera(), w.raster->pixelSize());
        auto snapshot = std::make_shared<Snapshot>(*drawn);
        auto picture = std::make_shared<Picture>(*drawn->picture);
        const Image& pixels = drawn->picture->image.host();
        picture->image =
            // pretends that the pixels are on the device
            DeviceOrHost(pixels.download(StreamView(nullptr)), fakeStream());
        snapshot->picture = picture;
        const NoDeviceCopyScope noCopies;
        w.raster->setSnapshot(snapshot);
        QVERIFY(!w.raster->isComplete());
        QVERIFY(ViewWindow::waitUntilComplete(*w.raster));
        QVERIFY(picture->image.hasHost());
        QCOMPARE(silhouetteOverlap(w.raster->grab().toImage().convertToFormat(QImage::Format_RGB32),
                                   softwareImage(*drawn)),
                 1.0);
        QTRY_COMPARE(w.raster->transfer().bytesToHost, quint64(pixels.pixels.bytes()));
        // the newest picture is shown, although an older one is still being copied
        auto older = std::make_shared<Snapshot>(*snapshot);
        auto olderPicture = std::make_shared<Picture>(*picture);
        olderPicture->image = DeviceOrHost(pixels.download(StreamView(nullptr)), fakeStream());
        older->picture = olderPicture;
        w.raster->setSnapshot(older);
        w.raster->setSnapshot(drawn);
        QVERIFY(QTest::qWaitFor([&] { return olderPicture->image.hasHost() && w.raster->isComplete(); }));
        QTRY_COMPARE(w.raster->transfer().bytesToHost, quint64(0));
    }

    void rasterViewShowsThePicture() {
        ViewWindow w;
        w.setOverlay(false);
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        const auto drawn =
            withPicture(m_bumpy, PictureContent::mesh, w.camera.camera(), w.raster->pixelSize());
        QVERIFY(!w.raster->isComplete());
        w.raster->setSnapshot(drawn);
        QVERIFY(w.raster->isComplete());
        QCOMPARE(silhouetteOverlap(w.raster->grab().toImage().convertToFormat(QImage::Format_RGB32),
                                   softwareImage(*drawn)),
                 1.0);
        w.raster->setSnapshot(withPicture(m_bumpy, PictureContent::mesh, w.camera.camera(), {100, 80}));
        QVERIFY(!w.raster->isComplete()); // the picture is stretched until one of the right size arrives
        QVERIFY(drawnPixels(w.raster->grab().toImage()) > 5000);
    }

    void theMouseOrbitsPansZoomsAndPicks() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.mesh->setSnapshot(m_bumpy);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QWidget* widget = w.mesh->widget();
        const QPoint at(widget->width() / 2 + 60, widget->height() / 2 - 40);
        const auto hit = w.mesh->pick(at);
        QVERIFY(hit);
        const auto seenAt = [&] {
            return CameraFrame(w.camera.camera(), widget->size()).project(hit->position);
        };
        const auto drag = [&](Qt::MouseButton button, Qt::KeyboardModifiers keys) {
            QTest::mousePress(widget, button, keys, at);
            for (int i = 1; i <= 5; ++i) {
                QMouseEvent move(QEvent::MouseMove, at + QPoint(12, 7) * i,
                                 widget->mapToGlobal(at + QPoint(12, 7) * i), Qt::NoButton, button, keys);
                QCoreApplication::sendEvent(widget, &move);
                QVERIFY(w.camera.isMoving());
            }
            QTest::mouseRelease(widget, button, keys, at + QPoint(60, 35));
            QVERIFY(!w.camera.isMoving());
        };
        const Camera before = w.camera.camera();
        drag(Qt::LeftButton, {});
        QVERIFY(norm(w.camera.camera().eye - before.eye) > 0.3);
        QVERIFY(QLineF(seenAt(), QPointF(at)).length() < 1.5);
        w.camera.setCamera(before);
        drag(Qt::MiddleButton, {});
        QVERIFY(QLineF(seenAt(), at + QPointF(60, 35)).length() < 1.5);
        w.camera.setCamera(before);
        drag(Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(QLineF(seenAt(), at + QPointF(60, 35)).length() < 1.5);
        w.camera.setCamera(before);
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, 240}, Qt::NoButton, {}, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(widget, &wheel);
        QVERIFY(w.camera.isMoving());
        QVERIFY(QLineF(seenAt(), QPointF(at)).length() < 1.5);
        QVERIFY(norm(w.camera.camera().eye - hit->position) < 0.7 * norm(before.eye - hit->position));
        QTRY_VERIFY(!w.camera.isMoving());
    }

    void clicksPickAndDoubleClicksFill() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.mesh->setSnapshot(m_bumpy);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QSignalSpy picked(w.mesh->navigation(), &ViewNavigation::picked);
        QSignalSpy nothing(w.mesh->navigation(), &ViewNavigation::nothingPicked);
        QSignalSpy fill(w.mesh->navigation(), &ViewNavigation::doubleClicked);
        const Camera before = w.camera.camera();
        QTest::mouseClick(w.mesh, Qt::LeftButton, {}, w.mesh->rect().center());
        QCOMPARE(picked.size(), 1);
        const Hit hit = picked.first().first().value<Hit>();
        QCOMPARE(hit.kind, PrimitiveKind::triangle);
        QVERIFY(norm(hit.position) > 0.9 && norm(hit.position) < 1.1);
        QTest::mouseClick(w.mesh, Qt::LeftButton, {}, {2, 2});
        QCOMPARE(nothing.size(), 1);
        QTest::mouseDClick(w.mesh, Qt::LeftButton, {}, w.mesh->rect().center());
        QCOMPARE(fill.size(), 1);
        QCOMPARE(w.camera.camera(), before);
    }

    void keysMoveTheCamera() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        QTest::keyClick(w.raster, Qt::Key_2);
        QVERIFY(CameraFrame(w.camera.camera(), {1, 1}).forward.z < -0.999);
        QTest::keyClick(w.raster, Qt::Key_O);
        QVERIFY(w.camera.camera().orthographic);
        QTest::keyClick(w.raster, Qt::Key_P);
        QVERIFY(!w.camera.camera().orthographic);
        const Camera before = w.camera.camera();
        for (const auto key : {Qt::Key_Left, Qt::Key_Up, Qt::Key_Plus, Qt::Key_F}) {
            const Camera last = w.camera.camera();
            QTest::keyClick(w.raster, key);
            QVERIFY(!(w.camera.camera() == last));
        }
        QVERIFY(!(w.camera.camera() == before));
    }

    void viewsComeBackInAnotherWindow() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_bumpy));
        w.mesh->setSnapshot(m_bumpy);
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        w.mesh->setParent(nullptr); // gives the view another context, as when it is detached
        w.mesh->resize(500, 500);
        w.mesh->show();
        QVERIFY(QTest::qWaitForWindowExposed(w.mesh));
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QVERIFY(drawnPixels(ViewWindow::grab(*w.mesh)) > 10000);
        delete w.mesh;
        QVERIFY(w.isShown());
    }

    void theOverlayNamesTheViews() {
        ViewWindow w;
        QVERIFY(w.isShown());
        w.lookAt(boundsOf(*m_street));
        auto both = std::make_shared<Snapshot>(*m_street);
        both->mesh = m_bumpy->mesh;
        both->identities[std::size_t(Stage::extract)] = both->mesh.identity();
        const auto drawn =
            withPicture(both, PictureContent::voxels, w.camera.camera(), w.raster->pixelSize(), true);
        w.voxels->setSnapshot(drawn);
        w.mesh->setSnapshot(drawn);
        w.raster->setSnapshot(drawn);
        QVERIFY(ViewWindow::waitUntilComplete(*w.voxels));
        QVERIFY(ViewWindow::waitUntilComplete(*w.mesh));
        QTest::qWait(50);
        const QImage all = w.window.grab().toImage();
        keep(all, "window");
        const QImage seen = ViewWindow::grab(*w.voxels);
        QVERIFY(drawnPixels(seen.copy(0, 0, 120, 40)) > 200);
        QVERIFY(drawnPixels(seen.copy(0, seen.height() - 90, 90, 90)) > 100);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestViews)
#include "test_views.moc"
