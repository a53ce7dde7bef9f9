// Layouts of the views, detached views, and the presentation.
#include "engine/recipe/parameters.h"
#include "engine/results/snapshot.h"
#include "gui/views/detached_view.h"
#include "gui/views/gl_view.h"
#include "gui/views/scene/camera_frame.h"
#include "gui/views/view_navigation.h"
#include "tests/gui/app/window_fixture.h"

#include <QApplication>
#include <QDockWidget>
#include <QMenuBar>
#include <QStatusBar>
#include <QToolBar>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Position of a view in the window.
QRect placeOf(WindowFixture& f, int view) {
    QWidget* widget = f.window.views().views()[std::size_t(view)]->widget();
    return {widget->mapTo(&f.window, QPoint(0, 0)), widget->size()};
}
QWidget* widgetOf(WindowFixture& f, int view) {
    return f.window.views().views()[std::size_t(view)]->widget();
}
double aspectOf(const QWidget& widget) {
    return double(widget.width()) / widget.height();
}

/// Fractions of a picture's width and height that differ from the background.
QSizeF filled(const QImage& image) {
    const QRgb background = image.pixel(image.width() - 2, 2);
    QRect box;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixel(x, y) != background)
                box |= QRect(x, y, 1, 1);
    return {double(box.width()) / image.width(), double(box.height()) / image.height()};
}

} // namespace

class TestWindowLayouts : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    bool prepare(WindowFixture& f) {
        f.window.activateWindow();
        f.openSample();
        return f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForViews();
    }

private slots:
    void init() { QSettings().clear(); }

    void eachLayoutPlacesTheViews() {
        WindowFixture f;
        QVERIFY(prepare(f));
        QVERIFY(placeOf(f, 0).right() < placeOf(f, 1).left() && placeOf(f, 1).right() < placeOf(f, 2).left());
        QCOMPARE(placeOf(f, 0).height(), placeOf(f, 2).height());
        keepPicture(f.window, "layout_beside");

        widgetOf(f, 1)->setFocus();
        QTest::keyClick(widgetOf(f, 1), Qt::Key_2, Qt::ControlModifier);
        QVERIFY(f.waitForViews());
        QVERIFY(placeOf(f, 0).bottom() < placeOf(f, 1).top() && placeOf(f, 1).bottom() < placeOf(f, 2).top());
        QVERIFY(std::abs(placeOf(f, 0).height() - placeOf(f, 2).height()) < 10);
        QCOMPARE(placeOf(f, 0).width(), placeOf(f, 2).width());
        keepPicture(f.window, "layout_stacked");

        widgetOf(f, 2)->setFocus();
        QTest::keyClick(widgetOf(f, 2), Qt::Key_3, Qt::ControlModifier);
        QVERIFY(f.waitForViews());
        QVERIFY(placeOf(f, 2).right() < placeOf(f, 0).left());
        QVERIFY(placeOf(f, 0).bottom() < placeOf(f, 1).top());
        QVERIFY(placeOf(f, 2).width() > 3 * placeOf(f, 0).width() / 2);
        QVERIFY(widgetOf(f, 2)->hasFocus());
        keepPicture(f.window, "layout_large");
        f.theme.choose(ThemeChoice::dark);
        QTest::qWait(100);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "layout_large_dark");
        QTest::keyClick(widgetOf(f, 2), Qt::Key_1, Qt::AltModifier); // another view becomes the large one
        QVERIFY(f.waitForViews());
        QVERIFY(placeOf(f, 0).right() < placeOf(f, 1).left() && placeOf(f, 1).bottom() < placeOf(f, 2).top());
        QVERIFY(widgetOf(f, 0)->hasFocus());

        QTest::mouseClick(widgetOf(f, 1), Qt::LeftButton);
        QTest::keyClick(widgetOf(f, 1), Qt::Key_4, Qt::ControlModifier);
        QVERIFY(f.waitForViews());
        QVERIFY(widgetOf(f, 1)->isVisible() && !widgetOf(f, 0)->isVisible() && !widgetOf(f, 2)->isVisible());
        QVERIFY(placeOf(f, 1).width() > 700);
        keepPicture(f.window, "layout_alone");
        QTest::keyClick(widgetOf(f, 1), Qt::Key_3, Qt::AltModifier);
        QVERIFY(f.waitForViews());
        QVERIFY(widgetOf(f, 2)->isVisible() && !widgetOf(f, 1)->isVisible());

        QTest::mouseDClick(widgetOf(f, 2), Qt::LeftButton); // returns to the previous layout
        QCOMPARE(f.window.views().viewLayout(), ViewLayout::oneLarge);
        QVERIFY(f.waitForViews());
        for (int view = 0; view < 3; ++view)
            QVERIFY(widgetOf(f, view)->isVisible());
    }

    void theMenuShowsTheLayout() {
        WindowFixture f;
        QVERIFY(prepare(f));
        QAction* beside = f.action("Side by Side");
        QAction* alone = f.action("Single View");
        QVERIFY(beside->isChecked() && !alone->isChecked());
        QTest::mouseDClick(widgetOf(f, 0), Qt::LeftButton);
        QVERIFY(!beside->isChecked() && alone->isChecked());
        QTest::mouseDClick(widgetOf(f, 0), Qt::LeftButton);
        QVERIFY(beside->isChecked() && !alone->isChecked());
    }

    void theLayoutIsKept() {
        {
            WindowFixture f;
            QVERIFY(f.isShown());
            f.window.views().choose(f.window.views().views()[2]);
            f.window.views().arrange(ViewLayout::oneLarge);
            f.window.close();
        }
        WindowFixture f;
        QVERIFY(prepare(f));
        QCOMPARE(f.window.views().viewLayout(), ViewLayout::oneLarge);
        QVERIFY(placeOf(f, 2).right() < placeOf(f, 0).left());
        QVERIFY(f.action("One Large, Two Small")->isChecked());
        f.window.close();
        QSettings().setValue("views", R"({"layout": "nonsense", "large": 99, "windows": [7, "?"]})");
        WindowFixture other;
        QCOMPARE(other.window.views().viewLayout(), ViewLayout::beside);
    }

    void docksThatALayoutDoesNotKnowAreThere() {
        {
            WindowFixture f;
            QVERIFY(f.isShown());
            f.child<QDockWidget>("log")->setObjectName("unknown"); // as a version without the log
            f.window.close();
        }
        WindowFixture f;
        QVERIFY(f.isShown());
        auto* log = f.child<QDockWidget>("log");
        QVERIFY(!f.child<QDockWidget>("timings")->isHidden() && !f.child<QDockWidget>("data")->isHidden());
        QCOMPARE(f.window.dockWidgetArea(log), Qt::BottomDockWidgetArea);
        log->show();
        log->raise();
        QTRY_VERIFY(log->isVisible() && !log->visibleRegion().isEmpty());
        QVERIFY(f.window.rect().contains(log->geometry()));
    }

    void windowsOfViewsAreKept() {
        QRect place;
        {
            WindowFixture f;
            QVERIFY(prepare(f));
            ViewArea& area = f.window.views();
            area.setDetached(area.views()[0], true);
            widgetOf(f, 0)->window()->setGeometry(40, 60, 500, 400);
            QTest::qWait(100);
            place = widgetOf(f, 0)->window()->geometry();
            f.window.close();
        }
        for (int start = 0; start < 2; ++start) { // sessions without a scan keep the layout
            WindowFixture f;
            QVERIFY(f.isShown());
            // no view is detached before it has content
            QVERIFY(!f.window.views().isDetached(f.window.views().views()[0]));
            f.window.close();
        }
        WindowFixture f;
        QVERIFY(prepare(f));
        QTRY_VERIFY(f.window.views().isDetached(f.window.views().views()[0]));
        QTRY_COMPARE(widgetOf(f, 0)->window()->geometry(), place);
        QVERIFY(f.waitForViews());
        f.window.views().restore({}); // restores the state of a project that stores no layout
        QVERIFY(!f.window.views().isDetached(f.window.views().views()[0]));
        f.window.close();
    }

    void theFirstCameraAndFitFillTheShape() {
        WindowFixture f;
        QVERIFY(prepare(f));
        auto& mesh = f.window.views().meshView();
        for (const ViewLayout layout :
             {ViewLayout::stacked, ViewLayout::alone, ViewLayout::oneLarge, ViewLayout::beside}) {
            mesh.setFocus();
            f.window.views().arrange(layout);
            QTest::qWait(50);
            QVERIFY(f.waitForViews());
            // the user has not moved the camera, so that it adapts to the new shape
            const QSizeF followed = filled(mesh.canvas()->picture());
            QVERIFY2(
                std::max(followed.width(), followed.height()) > 0.85,
                qPrintable(
                    QString("%1: %2 x %3").arg(int(layout)).arg(followed.width()).arg(followed.height())));
            f.window.camera().zoom(f.window.camera().camera().target, 3);
            QVERIFY(f.waitForViews());
            QTest::keyClick(&mesh, Qt::Key_F);
            QVERIFY(f.waitForViews());
            const QSizeF fitted = filled(mesh.canvas()->picture());
            QVERIFY(std::max(fitted.width(), fitted.height()) > 0.85);
            f.action("Reset View")->trigger();
        }
    }

    void movedCameraStaysInAllLayouts() {
        WindowFixture f;
        QVERIFY(prepare(f));
        f.window.camera().orbit(f.window.camera().camera().target, {40, 0}, {300, 300});
        const Camera moved = f.window.camera().camera();
        f.window.views().arrange(ViewLayout::stacked);
        QTest::qWait(50);
        QVERIFY(f.waitForViews());
        QVERIFY(f.window.camera().camera() == moved);
    }

    void aStreetLiesAcrossAWideView() {
        QSettings().setValue("views", R"({"layout": "stacked"})");
        WindowFixture f;
        QVERIFY(prepare(f));
        const auto& mesh = f.window.views().meshView();
        f.child<QDockWidget>("timings")->hide();
        for (const char* tab : {"log", "align"})
            f.child<QDockWidget>(tab)->hide();
        QTest::qWait(50);
        f.action("Reset View")->trigger();
        QVERIFY(f.waitForViews());
        QVERIFY(aspectOf(mesh) > 2);
        const QSizeF part = filled(f.window.views().meshView().canvas()->picture());
        keepPicture(f.window, "street_wide");
        QVERIFY2(part.width() > 0.7, qPrintable(QString::number(part.width())));
        // the picture is drawn with this camera, without another picture before
        QVERIFY(f.snapshot()->picture->camera == f.window.camera().camera());
    }

    void aViewMovesToItsOwnWindowAndBack() {
        WindowFixture f;
        QVERIFY(prepare(f));
        ViewArea& area = f.window.views();
        for (int i = 0; i < 3; ++i) {
            ScanView* view = area.views()[std::size_t(i)];
            view->widget()->setFocus();
            QTest::keyClick(view->widget(), Qt::Key_W, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(area.isDetached(view));
            QWidget* window = view->widget()->window();
            QVERIFY(window != &f.window && window->isVisible());
            QVERIFY(QTest::qWaitForWindowExposed(window));
            QVERIFY(f.waitForViews());
            QVERIFY(QTest::qWaitFor([&] { return view->isComplete(); }, 20'000));
            const QImage seen = window->grab().toImage();
            QVERIFY(filled(seen).width() > 0.3);
            if (i == 1)
                keepPicture(*window, "own_window");
            // keys of the main window work in it
            window->activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(window));
            QTest::keyClick(view->widget(), Qt::Key_2, Qt::ControlModifier);
            QCOMPARE(area.viewLayout(), ViewLayout::stacked);
            QTest::keyClick(view->widget(), Qt::Key_1, Qt::ControlModifier);
            if (i == 2)
                keepPicture(f.window, "without_one_view");
            window->close();
            QVERIFY(!area.isDetached(view));
            QVERIFY(view->widget()->window() == &f.window && view->widget()->isVisible());
            QVERIFY(f.waitForViews());
            f.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&f.window));
        }
        for (int round = 0; round < 5; ++round) // moves the view several times while results arrive
            for (ScanView* view : area.views()) {
                area.setDetached(view, true);
                Recipe recipe = f.window.parameters().recipe();
                recipe.voxelSize = Vec3d{1, 1, 1} * (0.4 + 0.1 * round);
                emit f.window.parameters().recipeChanged(recipe);
                QTest::qWait(20);
                area.setDetached(view, false);
            }
        QVERIFY(f.waitForViews());
        for (ScanView* view : area.views())
            area.setDetached(view, true);
        QTest::qWait(100);
        keepPicture(f.window, "without_views");
        QVERIFY(f.waitForViews());
    } // the window closes while views are detached

    void aPresentationHidesAllButTheViews() {
        WindowFixture f;
        QVERIFY(prepare(f));
        auto* log = f.child<QDockWidget>("log");
        auto* data = f.child<QDockWidget>("data");
        auto* parameters = f.child<QDockWidget>("parameters");
        data->hide(); // stays hidden afterwards
        QTest::qWait(100);
        QVERIFY(f.waitForViews());
        const QRect before = placeOf(f, 0);
        widgetOf(f, 0)->setFocus();
        QTest::keyClick(widgetOf(f, 0), Qt::Key_F11);
        const auto bars = f.window.findChildren<QToolBar*>();
        const auto onlyViewsAreShown = [&] {
            return !f.window.menuBar()->isVisible() && !f.window.statusBar()->isVisible() &&
                   !parameters->isVisible() && !log->isVisible() && !data->isVisible() &&
                   std::none_of(bars.begin(), bars.end(), [](QToolBar* bar) { return bar->isVisible(); });
        };
        QVERIFY(onlyViewsAreShown());
        QVERIFY(f.window.isFullScreen());
        QVERIFY(f.waitForViews());
        QVERIFY(QTest::qWaitFor([&] { return f.window.views().height() >= f.window.height() - 2; }, 5000));
        QVERIFY(f.waitForViews());
        const QSizeF part = filled(f.window.views().meshView().canvas()->picture());
        QVERIFY(std::max(part.width(), part.height()) > 0.85); // the camera adapts to the new size
        keepPicture(f.window, "presentation");
        QTest::keyClick(widgetOf(f, 0), Qt::Key_4, Qt::ControlModifier); // keys work without their menus
        QCOMPARE(f.window.views().viewLayout(), ViewLayout::alone);
        QTest::keyClick(widgetOf(f, 0), Qt::Key_1, Qt::ControlModifier);
        QTest::keyClick(widgetOf(f, 0), Qt::Key_D); // measuring works without its dock
        QVERIFY(f.action("Distance")->isChecked() && onlyViewsAreShown());
        QVERIFY(!f.child<QDockWidget>("measures")->isVisible());
        QTest::keyClick(widgetOf(f, 0), Qt::Key_Escape); // leaves the measuring tool first
        QVERIFY(!f.action("Distance")->isChecked() && onlyViewsAreShown() && f.window.isFullScreen());
        QTest::keyClick(widgetOf(f, 0), Qt::Key_Escape);
        QVERIFY(f.window.menuBar()->isVisible() && f.window.statusBar()->isVisible());
        QVERIFY(parameters->isVisible() && !data->isVisible());
        QVERIFY(!f.window.isFullScreen());
        QVERIFY(QTest::qWaitFor([&] { return placeOf(f, 0) == before; }, 5000));
        const QByteArray geometry = f.window.saveGeometry(), docks = f.window.saveState();
        QTest::keyClick(widgetOf(f, 0), Qt::Key_F11);
        QVERIFY(onlyViewsAreShown());
        f.window.close(); // stores the normal layout, not the full-screen size
        QCOMPARE(QSettings().value("geometry").toByteArray(), geometry);
        QCOMPARE(QSettings().value("layout").toByteArray(), docks);
        WindowFixture next;
        QVERIFY(next.isShown());
        QVERIFY(next.child<QDockWidget>("parameters")->isVisible() && next.window.menuBar()->isVisible());
    }
};

// as in the program: a view that moves to another window keeps its OpenGL context
SCANLOUPE_TEST_BY(TestWindowLayouts, [](int argc, char** argv) {
    QApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
    QSurfaceFormat::setDefaultFormat(viewFormat());
    return runTestIn<QApplication, TestWindowLayouts>(argc, argv);
})
#include "test_window_layouts.moc"
