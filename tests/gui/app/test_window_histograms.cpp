// Histograms behind the sliders, in the whole window: they arrive after the results, and never delay a drag.
#include "engine/cloud/point_cloud.h"
#include "engine/results/snapshot.h"
#include "gui/models/class_model.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/colour_limits_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QDockWidget>
#include <QScrollArea>
#include <QTableView>
#include <QToolButton>
#include <numeric>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

void send(QWidget* widget, QEvent::Type type, QPointF at, Qt::MouseButton button, Qt::MouseButtons held) {
    QMouseEvent event(type, at, widget->mapToGlobal(at), button, held, {});
    QCoreApplication::sendEvent(widget, &event);
}

void chooseColours(WindowFixture& f, const char* key) {
    QComboBox* combo = f.row<ColourByRow>("colour_by")->combo();
    const int index = combo->findData(QString::fromLatin1(key));
    QVERIFY(index >= 0);
    combo->setCurrentIndex(index);
    emit combo->activated(index);
    QVERIFY(f.waitForViews());
}

bool hasBars(WindowFixture& f) {
    auto* range = f.row<RangeRow>("range");
    return range->slider(0)->bars().histogram() && range->slider(2)->bars().histogram() &&
           f.row<NumberRow>("iso")->control()->slider()->bars().histogram();
}

bool openSample(WindowFixture& f) {
    if (!f.isShown())
        return false;
    f.openSample(1'000'000); // a scan of typical size, since the test measures times
    return f.waitForViews() && QTest::qWaitFor([&] { return hasBars(f); }, 10'000);
}

} // namespace

class TestWindowHistograms : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void comeAfterTheResults() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        const auto& cloud = *f.snapshot()->cloud;
        for (int axis = 0; axis < 3; ++axis) {
            const Histogram& h = *f.row<RangeRow>("range")->slider(axis)->bars().histogram();
            QCOMPARE(h.values, std::uint64_t(cloud.size()));
            QVERIFY(std::accumulate(h.counts.begin(), h.counts.end(), std::uint64_t{0}) >
                    0.9 * double(h.sampled));
        }
        auto* iso = f.row<NumberRow>("iso")->control();
        const Histogram& field = *iso->slider()->bars().histogram();
        QCOMPARE(field.low, double(f.snapshot()->field->minValue));
        QVERIFY(std::accumulate(field.counts.begin(), field.counts.end(), std::uint64_t{0}) > 10'000);
        QTest::qWait(200);
        for (const ThemeChoice theme : {ThemeChoice::dark, ThemeChoice::light}) {
            f.theme.choose(theme);
            QTest::qWait(100);
            keepPicture(f.window, theme == ThemeChoice::dark ? "histograms-dark" : "histograms-light");
        }
    }

    void isoValueHasAHistogramOfTheField() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        HistogramSlider* iso = f.row<NumberRow>("iso")->control()->slider();
        QVERIFY(!iso->bars().isLogarithmic());
        const auto range = f.row<RangeRow>("range")->slider(0)->bars().histogram();
        for (const FieldKind kind : {FieldKind::occupancy, FieldKind::density}) {
            const auto before = iso->bars().histogram();
            QComboBox* combo = f.row<ChoiceRow>("field")->combo();
            combo->setCurrentIndex(int(kind));
            emit combo->activated(int(kind));
            QVERIFY(f.waitForViews());
            QVERIFY(QTest::qWaitFor(
                [&] { return iso->bars().histogram() && iso->bars().histogram() != before; }, 10'000));
            QCOMPARE(iso->bars().histogram()->high, double(f.snapshot()->field->maxValue));
            QVERIFY(iso->bars().isLogarithmic());
            QVERIFY(f.row<RangeRow>("range")->slider(0)->bars().histogram() == range);
            QTest::qWait(100);
            keepPicture(*f.child<QDockWidget>("parameters"),
                        kind == FieldKind::occupancy ? "histograms-occupancy" : "histograms-density");
        }
    }

    void colourLimitsStandOnTheirs() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        auto* limits = f.row<ColourLimitsRow>("colour_limits");
        QVERIFY(limits->isVisibleTo(&f.window)); // the limits of heights are shown
        chooseColours(f, "intensity");
        RangeSlider* slider = limits->control()->slider();
        QVERIFY(QTest::qWaitFor([&] { return slider->bars().histogram() != nullptr; }, 10'000));
        QTest::qWait(100);
        const float low = f.snapshot()->picture->low, high = f.snapshot()->picture->high;
        QCOMPARE(slider->lower(), double(low));
        QCOMPARE(slider->upper(), double(high));
        const auto bars = slider->bars().histogram();
        f.window.parameters().findChild<QScrollArea*>()->ensureWidgetVisible(limits);
        keepPicture(*f.child<QDockWidget>("parameters"), "histograms-colours");
        // the pictures follow the handle
        const QPointF start = slider->handleCentre(1);
        send(slider, QEvent::MouseButtonPress, start, Qt::LeftButton, Qt::LeftButton);
        send(slider, QEvent::MouseMove, start - QPointF(60, 0), Qt::NoButton, Qt::LeftButton);
        const Recipe& recipe = f.window.parameters().recipe();
        QVERIFY(recipe.colourHigh && *recipe.colourHigh < double(high) && *recipe.colourLow == double(low));
        send(slider, QEvent::MouseButtonRelease, start - QPointF(60, 0), Qt::LeftButton, Qt::NoButton);
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->picture->high, float(*recipe.colourHigh));
        QTest::qWait(300);
        QVERIFY(slider->bars().histogram() == bars);
        keepPicture(f.window, "histograms-colours-window");
        f.theme.choose(ThemeChoice::dark);
        QTest::qWait(100);
        keepPicture(*f.child<QDockWidget>("parameters"), "histograms-colours-dark");
        // reset to the automatic values
        QTest::mouseClick(limits->resetButton(), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QVERIFY(!recipe.colourHigh);
        QCOMPARE(f.snapshot()->picture->high, high);
        // limits of one quantity don't apply to another
        limits->control()->upper()->setValue(0.5);
        QVERIFY(recipe.colourHigh);
        chooseColours(f, "height");
        QVERIFY(f.waitForViews());
        QVERIFY(!recipe.colourHigh);
    }

    void classesAreListed() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        auto* row = f.row<ColourByRow>("colour_by");
        QVERIFY(!row->classTable()->isVisibleTo(&f.window));
        chooseColours(f, "ring");
        QVERIFY(QTest::qWaitFor([&] { return row->classTable()->isVisibleTo(&f.window); }, 10'000));
        QCOMPARE(row->classTable()->model()->rowCount(), 64);
        QVERIFY(!f.row<ColourLimitsRow>("colour_limits")->isVisibleTo(&f.window));
        const QAbstractItemModelTester tester(row->classTable()->model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QVERIFY(row->classTable()->model()->index(3, ClassModel::share).data().toString().endsWith(" %"));
        QTest::qWait(100);
        f.window.parameters().findChild<QScrollArea*>()->ensureWidgetVisible(row);
        keepPicture(*f.child<QDockWidget>("parameters"), "histograms-classes");
        chooseColours(f, "height");
        QVERIFY(f.waitForViews());
        QVERIFY(!row->classTable()->isVisibleTo(&f.window));
    }

    void aRealScan_data() {
        QTest::addColumn<QString>("scan");
        QTest::addColumn<QString>("colourBy");
        QTest::newRow("airborne, ASPRS classes") << "las/pdal_autzen_trim.las"
                                                 << "classification";
        QTest::newRow("vegetation") << "las/laspy_vegetation_1_3.las"
                                    << "intensity";
        QTest::newRow("volume") << "volume/Bucky.raw"
                                << "height";
    }
    void aRealScan() {
        QFETCH(QString, scan);
        QFETCH(QString, colourBy);
        SCANLOUPE_REAL_SCAN(path, scan.toStdString());
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.open(path);
        QVERIFY(f.waitForViews());
        chooseColours(f, colourBy.toUtf8());
        QTest::qWait(500);
        auto* row = f.row<ColourByRow>("colour_by");
        auto* limits = f.row<ColourLimitsRow>("colour_limits");
        QVERIFY(f.row<NumberRow>("iso")->control()->slider()->bars().histogram());
        QCOMPARE(hasBars(f), f.snapshot()->cloud != nullptr);
        if (colourBy == "classification")
            QVERIFY(row->classTable()->model()->index(0, 0).data().toString().size() > 1);
        else
            QVERIFY(limits->control()->slider()->bars().histogram());
        keepPicture(f.window, "histograms-" + QString::fromStdString(path.stem().string()));
        f.window.parameters().findChild<QScrollArea*>()->ensureWidgetVisible(row);
        f.window.parameters().findChild<QScrollArea*>()->ensureWidgetVisible(limits);
        keepPicture(*f.child<QDockWidget>("parameters"),
                    "histograms-dock-" + QString::fromStdString(path.stem().string()));
    }

    void inANarrowDock() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        auto* dock = f.window.findChild<QDockWidget*>(QStringLiteral("parameters"));
        f.window.resizeDocks({dock}, {100}, Qt::Horizontal); // minimum width
        QTest::qWait(200);
        keepPicture(*dock, "histograms-narrow");
        QVERIFY(f.row<RangeRow>("range")->slider(0)->width() >= 40);
        f.window.resizeDocks({dock}, {600}, Qt::Horizontal);
        QTest::qWait(200);
        keepPicture(*dock, "histograms-wide");
    }

    void anotherScanHasOthers() {
        WindowFixture f({1500, 900});
        QVERIFY(openSample(f));
        const auto bars = f.row<RangeRow>("range")->slider(0)->bars().histogram();
        f.openSample(1'000'000); // a scan of typical size, since the test measures times
        QVERIFY(QTest::qWaitFor(
            [&] { return hasBars(f) && f.row<RangeRow>("range")->slider(0)->bars().histogram() != bars; },
            20'000));
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowHistograms)
#include "test_window_histograms.moc"
