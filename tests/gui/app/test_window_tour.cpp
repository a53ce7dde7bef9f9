// The tour of the window.
#include "gui/app/help_controller.h"
#include "gui/app/tour_bar.h"
#include "tests/gui/app/window_fixture.h"

#include <QDockWidget>
#include <QPushButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestWindowTour : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    static QPushButton* button(TourBar& tour, const char* name) {
        return tour.findChild<QPushButton*>(QString::fromLatin1(name));
    }
    static QWidget* frame(WindowFixture& f) { return f.child<QWidget>("tourFrame"); }
    static QRect placeOf(WindowFixture& f, QWidget* widget) {
        return {widget->mapTo(&f.window, QPoint(0, 0)), widget->size()};
    }

private slots:
    void init() { QSettings().clear(); }

    void tourIsOfferedOnce() {
        WindowFixture f;
        QVERIFY(f.isShown());
        QVERIFY(!f.window.findChild<TourBar*>()); // only the program offers the tour, at its first start
        f.window.help().offerTour();
        QPointer<TourBar> tour = f.window.findChild<TourBar*>();
        QTRY_VERIFY(tour && tour->isVisible());
        button(*tour, "skip")->click();
        QTRY_VERIFY(!tour);
        QVERIFY(!frame(f));
        f.window.help().offerTour();
        QVERIFY(!f.window.findChild<TourBar*>());
        WindowFixture next;
        next.window.help().offerTour();
        QVERIFY(!next.window.findChild<TourBar*>());
        next.action("Tour")->trigger(); // the tour is available at any time
        QVERIFY(next.window.findChild<TourBar*>());
        next.action("Tour")->trigger();
        QCOMPARE(next.window.findChildren<TourBar*>().size(), 1);
    }

    void tourStepsFrameTheExplainedWidget() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.help().offerTour();
        QPointer<TourBar> tour = f.window.findChild<TourBar*>();
        QVERIFY(!button(*tour, "back")->isEnabled());
        QTest::qWait(50);
        keepPicture(f.window, "tour_1");
        f.openSample(); // the window can be used meanwhile
        QVERIFY(f.waitForViews());
        QCOMPARE(tour->step(), 1); // opening a scan completes the first step
        QTRY_COMPARE(frame(f)->geometry(), placeOf(f, &f.window.views()));
        keepPicture(f.window, "tour_2");
        button(*tour, "next")->click();
        auto* dock = f.child<QDockWidget>("parameters");
        QTRY_COMPARE(frame(f)->geometry(), placeOf(f, dock));
        keepPicture(f.window, "tour_3");
        f.window.resize(1300, 800); // the frame around the explained widget follows
        QTRY_COMPARE(frame(f)->geometry(), placeOf(f, dock));
        dock->hide();
        QTRY_VERIFY(!frame(f)->isVisible());
        dock->show();
        QTRY_VERIFY(frame(f)->isVisible());
        button(*tour, "back")->click();
        QCOMPARE(tour->step(), 1);
        button(*tour, "next")->click();
        button(*tour, "next")->click();
        QCOMPARE(tour->step(), 3);
        QCOMPARE(button(*tour, "next")->text(), "&Done");
        f.theme.choose(ThemeChoice::dark);
        QTest::qWait(100);
        keepPicture(f.window, "tour_4");
        button(*tour, "next")->click();
        QTRY_VERIFY(!tour && !frame(f));
    }

    void theWindowClosesWhileItRuns() {
        WindowFixture f;
        QVERIFY(f.isShown());
        f.window.help().offerTour();
        f.window.close();
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowTour)
#include "test_window_tour.moc"
