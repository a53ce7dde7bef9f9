// A small screen and the keyboard alone: docks stay usable, the focus is seen, the manual can be searched,
// and its pages are reached.
#include "engine/cloud/categories.h"
#include "gui/app/find_bar.h"
#include "gui/app/manual_window.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/views/surface/view_overlay.h"
#include "tests/gui/app/window_fixture.h"

#include <QApplication>
#include <QDockWidget>
#include <QScrollArea>
#include <QScrollBar>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr int kUsable = 180; // width in pixels that a dock with a label and a value needs

/// Fraction of a view's border with the colour of the focus.
double framedShare(const QImage& image) {
    const QRgb colour = focusColour().rgb();
    int framed = 0;
    for (int x = 0; x < image.width(); ++x)
        framed += (image.pixel(x, 0) == colour) + (image.pixel(x, image.height() - 1) == colour);
    return framed / (2.0 * image.width());
}

} // namespace

class TestWindowSmall : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    static int dataWidth(WindowFixture& f) { return f.child<QDockWidget>("data")->width(); }

    /// The names of docks that extend beyond the window.
    static QString cutOff(WindowFixture& f) {
        QString names;
        for (QDockWidget* dock : f.window.findChildren<QDockWidget*>())
            if (!dock->visibleRegion().isEmpty() && !f.window.rect().contains(dock->geometry()))
                names += QString("%1 to %2 ").arg(dock->objectName()).arg(dock->geometry().right());
        return names;
    }

private slots:
    void theEmptyWindowFitsASmallScreen() {
        QSettings().setValue("recentFiles",
                             QStringList{"/scans/a/long/way/to/a/street/with/a/long/name.las"});
        WindowFixture f({800, 600});
        QVERIFY(f.isShown());
        // recent files are listed even if they do not exist
        QVERIFY(f.action("/scans/a/long/way/to/a/street/with/a/long/name.las"));
        f.window.resize(800, 600);
        QTest::qWait(300);
        QCOMPARE(f.window.size(), QSize(800, 600));
        QVERIFY2(cutOff(f).isEmpty(), qPrintable(cutOff(f)));
        QVERIFY(dataWidth(f) >= kUsable);
        keepPicture(f.window, "small_empty");
        f.window.resize(1400, 900);
        QTest::qWait(300);
        keepPicture(f.window, "large_empty");
    }

    void docksStayUsableOnASmallScreen() {
        {
            WindowFixture f({1400, 900});
            QVERIFY(f.isShown());
            f.openSample();
            QVERIFY(f.waitForViews());
            const int before = dataWidth(f);
            f.window.resize(800, 600);
            QVERIFY2(QTest::qWaitFor([&] { return f.window.size() == QSize(800, 600); }, 5000),
                     qPrintable(QString("%1 x %2").arg(f.window.width()).arg(f.window.height())));
            QTest::qWait(300);
            keepPicture(f.window, "small");
            QVERIFY2(dataWidth(f) >= kUsable, qPrintable(QString::number(dataWidth(f))));
            QVERIFY2(cutOff(f).isEmpty(), qPrintable(cutOff(f)));
            for (ScanView* view : f.window.views().views())
                QVERIFY(view->widget()->isVisible() && view->widget()->width() >= 60);
            f.window.resize(1400, 900);
            QTest::qWait(300);
            keepPicture(f.window, "enlarged");
            QVERIFY2(dataWidth(f) >= before - 10,
                     qPrintable(QString("%1 of %2").arg(dataWidth(f)).arg(before)));
            f.window.resize(800, 600);
            QTest::qWait(300);
            f.window.close();
        }
        WindowFixture again({1400, 900});
        QVERIFY(again.isShown());
        again.window.resize(1400, 900);
        QTest::qWait(300);
        QVERIFY2(dataWidth(again) >= kUsable, qPrintable(QString::number(dataWidth(again))));
    }

    void tabbingScrollsNothingSideways() {
        SCANLOUPE_REAL_SCAN(path, "las/laspy_vegetation_1_3.las");
        WindowFixture f({800, 600});
        QVERIFY(f.isShown());
        f.window.activateWindow();
        f.open(path);
        QVERIFY(f.waitForViews());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        for (int i = 0; i < 120; ++i) {
            QTest::keyClick(f.window.focusWidget() ? f.window.focusWidget() : &f.window, Qt::Key_Tab);
            for (QScrollArea* area : f.window.findChildren<QScrollArea*>())
                QVERIFY2(area->horizontalScrollBar()->value() == 0,
                         QApplication::focusWidget() ? QApplication::focusWidget()->metaObject()->className()
                                                     : "");
        }
    }

    void theViewWithTheKeysIsFramed() {
        WindowFixture f({1200, 700});
        QVERIFY(f.isShown());
        f.window.activateWindow();
        f.openSample();
        QVERIFY(f.waitForViews());
        QVERIFY(QTest::qWaitForWindowActive(&f.window));
        for (ScanView* view : f.window.views().views()) {
            view->widget()->setFocus(Qt::TabFocusReason);
            for (ScanView* other : f.window.views().views()) {
                const bool focused = other == view;
                const auto framed = [&] { return framedShare(other->widget()->grab().toImage()); };
                QVERIFY2(QTest::qWaitFor([&] { return focused ? framed() > 0.95 : framed() < 0.05; }, 5000),
                         qPrintable(QString("%1: %2").arg(other->title()).arg(framed())));
            }
        }
        keepPicture(f.window, "focused_view");
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSmall)
#include "test_window_small.moc"
