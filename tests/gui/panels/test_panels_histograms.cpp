// Sliders over histograms, with mouse and keys: bars, tool tips, the scale of counts, requested histograms.
#include "engine/recipe/recipe.h"
#include "gui/controls/theme.h"
#include "gui/panels/parameters/parameter_panel.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/test_program.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QLineEdit>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// 200 bins over 0 to 100: 10 values in each below 50, 1000 in the one at 75, and none elsewhere.
std::shared_ptr<const Histogram> steps() {
    auto h = std::make_shared<Histogram>();
    h->low = 0;
    h->high = 100;
    h->counts.assign(200, 0);
    for (std::size_t i = 0; i < 100; ++i)
        h->counts[i] = 10;
    h->counts[150] = 1000;
    h->below = 7;
    h->values = h->sampled = 2007;
    return h;
}

RangeSlider* makeSlider(QWidget& window) {
    auto* slider = new RangeSlider(&window);
    slider->setGeometry(0, 0, 212, 38);
    slider->setSpan(0, 100);
    slider->setValues(20, 60);
    slider->setHistogram(steps(), QStringLiteral("points"), QStringLiteral("m"));
    window.resize(220, 60);
    window.show();
    return slider;
}

/// Height of the bar in a column of pixels: rows below its top that differ from the background.
int barHeight(const QImage& image, int x, QRgb background) {
    int rows = 0;
    for (int y = 1; y < 28; ++y)
        rows += image.pixel(x, y) != background;
    return rows;
}

QString toolTipAt(QWidget* widget, QPoint at) {
    QToolTip::hideText();
    QHelpEvent event(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &event);
    return QToolTip::text();
}

/// Chooses the only entry of a slider's context menu.
void toggleLogarithm(QWidget* slider) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, {50, 10}, slider->mapToGlobal(QPoint(50, 10)));
    QApplication::sendEvent(slider, &event);
    auto* menu = slider->findChild<QMenu*>();
    QVERIFY(menu && menu->actions().size() == 1);
    menu->actions()[0]->trigger();
    menu->close();
    QTest::qWait(1); // the menu deletes itself
}

} // namespace

class TestPanelsHistograms : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

    void barsStandBehindTheHandles_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void barsStandBehindTheHandles() {
        QFETCH(bool, dark);
        QWidget window;
        window.setPalette(dark ? darkPalette() : lightPalette());
        RangeSlider* slider = makeSlider(window);
        QImage image = slider->grab().toImage();
        const QRgb background = image.pixel(130, 2);
        // value v is at pixel 6 + 2 v
        QCOMPARE(barHeight(image, 6 + 140, background), 0);   // no values at 70
        QVERIFY(barHeight(image, 6 + 151, background) >= 26); // the highest bar, at 75.5
        // a bar at 25 is visible, although it has only a hundredth of the values
        QCOMPARE(barHeight(image, 6 + 50, background), 1);
        // bars between the handles differ in colour from those outside
        QVERIFY(image.pixel(6 + 50, 27) != image.pixel(6 + 20, 27));
        toggleLogarithm(slider);
        QVERIFY(slider->bars().isLogarithmic());
        image = slider->grab().toImage();
        QVERIFY(barHeight(image, 6 + 50, background) >= 6);
        toggleLogarithm(slider);
        QVERIFY(!slider->bars().isLogarithmic());
        slider->setHistogram(nullptr, {}, {});
        QCOMPARE(barHeight(slider->grab().toImage(), 6 + 151, background), 0);
    }

    void toolTipsDescribeTheBar() {
        QWidget window;
        RangeSlider* slider = makeSlider(window);
        // a bin is one pixel wide and a bar two: this bar covers 75 to 76
        QString text = toolTipAt(slider, {6 + 151, 10});
        QVERIFY2(text.contains("75.0 to 76.0 m"), qPrintable(text));
        QVERIFY2(text.contains("1,000 of 2,007 points"), qPrintable(text));
        QVERIFY2(text.contains("7 below the first bar"), qPrintable(text));
        auto sampled = std::make_shared<Histogram>(*steps());
        sampled->values = 40'140;
        slider->setHistogram(sampled, QStringLiteral("points"), QStringLiteral("m"));
        text = toolTipAt(slider, {6 + 51, 10});
        QVERIFY2(text.contains("20 of 2,007 counted points"), qPrintable(text));
        QVERIFY2(text.contains("5 % of all"), qPrintable(text));
    }

    void keysMoveByABin() {
        QWidget window;
        RangeSlider* slider = makeSlider(window);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(slider->lower(), 20.5);
        QTest::keyClick(slider, Qt::Key_PageDown);
        QCOMPARE(slider->lower(), 15.5);
        QTest::keyClick(slider, Qt::Key_Space);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(slider->upper(), 65.0);
    }

    void aDoubleClickOnAHandleWantsItsNumber() {
        QWidget window;
        RangeSlider* slider = makeSlider(window);
        QSignalSpy wanted(slider, &RangeSlider::numberWanted);
        QSignalSpy edits(slider, &RangeSlider::edited);
        QTest::mouseDClick(slider, Qt::LeftButton, {}, slider->handleCentre(1).toPoint());
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(wanted[0][0].toInt(), 1);
        QTest::mouseDClick(slider, Qt::LeftButton, {}, {6 + 2 * 40, 30}); // a double click on the band
        QCOMPARE(wanted.count(), 1);
        QCOMPARE(edits.count(), 0);
        QTest::mouseClick(slider, Qt::RightButton, {}, {6 + 2 * 90, 30}); // right clicks only open the menu
        QCOMPARE(edits.count(), 0);
    }

    void oneHandleOverBars() {
        QWidget window;
        window.setPalette(lightPalette());
        ValueControl control("Iso-value", {-1e12, 1e12, false, "m", {}}, true, &window);
        control.standBelowBars();
        control.setScale({0, 100});
        control.setValue(40);
        control.setGeometry(0, 0, 230, 70);
        window.resize(240, 80);
        window.show();
        window.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        HistogramSlider* slider = control.slider();
        slider->setHistogram(steps(), QStringLiteral("samples"), QStringLiteral("m"),
                             HistogramSlider::Chosen::above);
        QSignalSpy edits(&control, &ValueControl::edited);
        // a drag that starts on the handle moves it with the mouse, live
        const QPoint start = slider->handleCentre().toPoint();
        QTest::mousePress(slider, Qt::LeftButton, {}, start);
        QCOMPARE(edits.count(), 0);
        QTest::mouseMove(slider, start + QPoint(20, 0));
        QCOMPARE(edits.count(), 1);
        QTest::mouseMove(slider, start + QPoint(40, 0));
        QCOMPARE(edits.count(), 2);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, start + QPoint(40, 0));
        const double perPixel = 100.0 / (slider->width() - 2 * 5.5);
        QVERIFY2(std::abs(control.value() - (40 + 40 * perPixel)) < 2, qPrintable(control.box()->text()));
        // a click on the bars moves the handle there, and the drag continues
        QTest::mousePress(slider, Qt::LeftButton, {}, {slider->width() / 2, 5});
        QVERIFY2(std::abs(control.value() - 50) < 1, qPrintable(control.box()->text()));
        QTest::mouseMove(slider, {slider->width() - 1, 5});
        QCOMPARE(control.value(), 100.0);
        QTest::mouseRelease(slider, Qt::LeftButton, {}, {slider->width() - 1, 5});
        // an arrow key moves by one bin, a page key by ten
        control.setValue(40);
        slider->setFocus();
        QTest::keyClick(slider, Qt::Key_Right);
        QCOMPARE(control.value(), 40.5);
        QTest::keyClick(slider, Qt::Key_PageUp);
        QCOMPARE(control.value(), 45.5);
        // the bars are aligned with the handle: the one at 75.5 is at its position
        control.setValue(75.5);
        const QPoint at = slider->handleCentre().toPoint();
        const QImage image = slider->grab().toImage();
        QVERIFY(barHeight(image, at.x(), image.pixel(at.x() - 20, 2)) > 20);
        QCOMPARE(barHeight(image, at.x() - 20, image.pixel(at.x() - 20, 2)), 0);
        QVERIFY(toolTipAt(slider, {at.x(), 8}).contains("1,000 of 2,007 samples"));
        // a double click opens a field for the number
        QTest::mouseDClick(slider, Qt::LeftButton, {}, at);
        QVERIFY(control.box()->hasFocus());
        QTest::keyClicks(control.box(), "12.5");
        QTest::keyClick(control.box(), Qt::Key_Return);
        QCOMPARE(control.value(), 12.5);
        toggleLogarithm(slider);
        QVERIFY(slider->bars().isLogarithmic());
    }

    void rangesInThePanel() {
        ParameterPanel panel;
        panel.resize(330, 900);
        panel.setSnapshot(sheetSnapshot());
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowExposed(&panel));
        auto* range = static_cast<RangeRow*>(panel.row("range"));
        ScanHistograms histograms;
        auto axis = std::make_shared<Histogram>(*steps());
        axis->low = -1;
        axis->high = 9;
        histograms.axes = {axis, axis, axis};
        panel.setHistograms(histograms);
        QVERIFY(range->slider(2)->bars().histogram() == axis);
        // the slider has the extent of its histogram
        QTest::mouseClick(range->slider(0), Qt::LeftButton, {},
                          {range->slider(0)->width() - 1, range->slider(0)->height() - 7});
        QVERIFY(std::abs(panel.recipe().rangeMax->x - 9) < 0.05);
        // a double click, and the number is typed
        QTest::mouseDClick(range->slider(0), Qt::LeftButton, {}, range->slider(0)->handleCentre(0).toPoint());
        QVERIFY(range->lower(0)->hasFocus());
        QTest::keyClicks(range->lower(0), "2.25");
        QTest::keyClick(range->lower(0), Qt::Key_Return);
        QCOMPARE(panel.recipe().rangeMin->x, 2.25);
        // a range beyond the histogram is within the slider's reach
        range->upper(1)->setValue(50);
        panel.setSnapshot(sheetSnapshot());
        panel.setHistograms({});
        QVERIFY(!range->slider(0)->bars().histogram());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestPanelsHistograms)
#include "test_panels_histograms.moc"
