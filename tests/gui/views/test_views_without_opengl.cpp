// A display with an outdated OpenGL: messages in place of the views, and no crash.
#include "gui/opengl/opengl_probe.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/gui/views/view_window.h"

#include <QApplication>
#include <QLabel>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestViewsWithoutOpenGl : public QObject {
    Q_OBJECT

private slots:
    void messagesNameTheNextStep() {
        if (openGlState().usable)
            QSKIP("this driver does not let OpenGL be made older");
        qInfo("%s", qPrintable(openGlState().problem));
        QVERIFY(openGlState().problem.contains("scanloupe-cli"));
        ViewWindow w;
        QVERIFY(w.isShown());
        const auto snapshot = bumpyMesh(2'000);
        w.lookAt(boundsOf(*snapshot));
        const auto drawn =
            withPicture(snapshot, PictureContent::mesh, w.camera.camera(), w.raster->pixelSize());
        w.voxels->setSnapshot(drawn);
        w.mesh->setSnapshot(drawn);
        w.mesh->setStyle({true, true});
        w.raster->setSnapshot(drawn);
        QTest::qWait(100);
        for (GlView* view : {static_cast<GlView*>(w.voxels), static_cast<GlView*>(w.mesh)}) {
            const auto* label = view->findChild<QLabel*>();
            QVERIFY(label && label->isVisible());
            QVERIFY(label->text().contains("scanloupe-cli"));
            QVERIFY(!view->isComplete());
            QVERIFY(!view->pick({50, 50}));
        }
        QVERIFY(drawnPixels(w.raster->grab().toImage()) > 5000); // this view needs no OpenGL
        keep(w.window.grab().toImage(), "without_opengl");
    }
    void windowStaysUsableWithoutOpenGl() {
        if (openGlState().usable)
            QSKIP("this driver does not let OpenGL be made older");
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.openSample();
        QVERIFY(f.waitForWhole());
        const auto& views = f.window.views().views();
        QVERIFY(QTest::qWaitFor([&] { return views[2]->isComplete(); }, 20'000));
        QVERIFY(drawnPixels(views[2]->widget()->grab().toImage()) > 5000);
        QVERIFY(!views[0]->isComplete());
        keepPicture(f.window, "window_without_opengl");
    }

private:
    ScratchSettings m_settings;
};

SCANLOUPE_TEST_BY(TestViewsWithoutOpenGl, [](int argc, char** argv) {
    qputenv("LIBGL_ALWAYS_SOFTWARE", "1");
    qputenv("MESA_GL_VERSION_OVERRIDE", "2.1");
    return runTestIn<QApplication, TestViewsWithoutOpenGl>(argc, argv);
})
#include "test_views_without_opengl.moc"
