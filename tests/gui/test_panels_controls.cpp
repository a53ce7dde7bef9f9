// The controls that panels are made of: slider and spin box in step, two handles, wheel and keys.
#include "gui/panels/icons.h"
#include "gui/panels/number_box.h"
#include "gui/panels/range_slider.h"
#include "gui/panels/theme.h"
#include "gui/panels/value_control.h"

#include <QApplication>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QWheelEvent>
#include <cmath>

using namespace scanloupe::gui;

namespace {

void turnWheel(QWidget* widget) {
    QWheelEvent event(QPointF(5, 5), widget->mapToGlobal(QPointF(5, 5)), {}, {0, 120}, Qt::NoButton,
                      Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget, &event);
}

} // namespace

class TestPanelsControls : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        QApplication::setStyle(QStringLiteral("Fusion"));
    }

    void scalesGoThereAndBack_data() {
        QTest::addColumn<double>("low");
        QTest::addColumn<double>("high");
        QTest::addColumn<bool>("logarithmic");
        QTest::addColumn<bool>("zeroFirst");
        QTest::newRow("linear") << -12.5 << 87.0 << false << false;
        QTest::newRow("map coordinates") << 652000.0 << 652480.0 << false << false;
        QTest::newRow("three decades") << 0.01 << 10.0 << true << false;
        QTest::newRow("tiny") << 1e-6 << 2e-4 << true << false;
        QTest::newRow("with zero") << 0.05 << 1.6 << true << true;
    }
    void scalesGoThereAndBack() {
        QFETCH(double, low);
        QFETCH(double, high);
        QFETCH(bool, logarithmic);
        QFETCH(bool, zeroFirst);
        const ValueScale scale{low, high, logarithmic, zeroFirst};
        double last = -1e300;
        for (int position = 0; position <= ValueScale::kSteps; ++position) {
            const double value = scale.value(position);
            QCOMPARE(scale.position(value), position);
            QVERIFY2(value > last, qPrintable(QString::number(position)));
            last = value;
            // few digits: what a slider leaves in a recipe is readable
            QVERIFY(position == 0 || position == ValueScale::kSteps || (zeroFirst && position == 1) ||
                    QString::number(value, 'g', QLocale::FloatingPointShortest).size() <= 10);
        }
        QCOMPARE(scale.value(0), zeroFirst ? 0 : low);
        QCOMPARE(last, high);
        QCOMPARE(scale.position(high * 1e3), ValueScale::kSteps);
        QCOMPARE(scale.position(-std::abs(low) - 1), 0);
    }
    void emptyScaleStandsStill() {
        const ValueScale scale{3, 3};
        QCOMPARE(scale.position(3), 0);
        QCOMPARE(scale.value(700), 3.0);
    }

    void sliderAndBoxAreInStep() {
        ValueControl control("Voxel size", {1e-6, 1e6, 9, "m", {}}, true);
        control.setScale({0.01, 10, true});
        QSignalSpy edits(&control, &ValueControl::edited);
        control.setValue(0.1);
        QCOMPARE(edits.count(), 0); // shown, not edited
        QCOMPARE(control.slider()->value(), 333);
        QCOMPARE(control.box()->text(), QStringLiteral("0.1 m"));

        control.show();
        control.slider()->setFocus();
        QTest::keyClick(control.slider(), Qt::Key_Right);
        QCOMPARE(edits.count(), 1);
        const double value = edits[0][0].toDouble();
        QVERIFY(value > 0.1 && value < 0.11);
        QCOMPARE(control.box()->value(), value);

        QTest::mouseClick(control.slider(), Qt::LeftButton, {}, {control.slider()->width() - 2, 8});
        QCOMPARE(edits.count(), 2);
        QCOMPARE(control.value(), 10.0);

        control.box()->selectAll();
        QTest::keyClicks(control.box(), "25");
        QCOMPARE(edits.count(), 2); // not at each key
        QTest::keyClick(control.box(), Qt::Key_Return);
        QCOMPARE(edits.count(), 3);
        QCOMPARE(control.value(), 25.0); // allowed, though the slider ends at 10
        QCOMPARE(control.slider()->value(), ValueScale::kSteps);
    }

    void boxTakesNothingBeyondTheLimits() {
        ValueControl control("Point size", {1, 64, 9, "px", {}}, true);
        QSignalSpy edits(&control, &ValueControl::edited);
        control.box()->selectAll();
        QTest::keyClicks(control.box(), "900");
        QTest::keyClick(control.box(), Qt::Key_Return);
        QVERIFY(control.value() <= 64);
        for (const auto& edit : edits)
            QVERIFY(edit[0].toDouble() >= 1 && edit[0].toDouble() <= 64);
    }

    void typingSurvivesNewResults() {
        ValueControl control("Iso-value", {-1e12, 1e12, 9, {}, {}}, true);
        control.setValue(42.5);
        control.show();
        control.activateWindow();
        control.box()->setFocus();
        QVERIFY(QTest::qWaitFor([&] { return control.box()->hasFocus(); }));
        control.box()->selectAll();
        QTest::keyClicks(control.box(), "7");
        control.setValue(42.5); // results of an older move arrive
        QCOMPARE(control.box()->text(), QStringLiteral("7"));
        QTest::keyClick(control.box(), Qt::Key_Return);
        QCOMPARE(control.value(), 7.0);
    }

    void aHeldSliderKeepsItsScale() {
        ValueControl control("Voxel size", {1e-6, 1e6, 9, "m", {}}, true);
        control.setScale({0.01, 10, true});
        control.slider()->setSliderDown(true);
        control.setScale({0.02, 20, true});
        QCOMPARE(control.scale().low, 0.01);
        control.slider()->setSliderDown(false);
        control.setScale({0.02, 20, true});
        QCOMPARE(control.scale().low, 0.02);
    }

    void wheelInPassingChangesNothing() {
        ValueControl control("Voxel size", {0, 100, 9, "m", {}}, true);
        control.setScale({0, 100});
        control.setValue(50);
        QSignalSpy edits(&control, &ValueControl::edited);
        turnWheel(control.box());
        turnWheel(control.slider());
        QCOMPARE(edits.count(), 0);
    }

    void numbersAreShownWithTheDigitsTheyHave() {
        NumberBox box;
        box.setDecimals(9);
        box.setRange(-1e12, 1e12);
        QCOMPARE(box.textFromValue(0.05), QStringLiteral("0.05"));
        QCOMPARE(box.textFromValue(652000.125), QStringLiteral("652000.125"));
        QCOMPARE(box.textFromValue(2e-6), QStringLiteral("2e-06"));
        QCOMPARE(box.textFromValue(100), QStringLiteral("100"));
        box.showValue(2e-6);
        QCOMPARE(box.valueFromText(box.text()), 2e-6);
    }

    void twoHandles() {
        RangeSlider slider;
        slider.resize(212, 20);
        slider.setSpan(0, 100);
        slider.setValues(20, 60);
        QSignalSpy edits(&slider, &RangeSlider::edited);
        const QPoint lower = slider.handleCentre(0).toPoint(), upper = slider.handleCentre(1).toPoint();
        QTest::mousePress(&slider, Qt::LeftButton, {}, lower);
        QTest::mouseMove(&slider, lower + QPoint(20, 0));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, lower + QPoint(20, 0));
        QCOMPARE(edits.count(), 1);
        QVERIFY(std::abs(slider.lower() - 30) < 0.6);
        QCOMPARE(slider.upper(), 60.0);

        QTest::mousePress(&slider, Qt::LeftButton, {}, upper); // not past the other handle
        QTest::mouseMove(&slider, QPoint(0, 10));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(0, 10));
        QVERIFY(slider.upper() > slider.lower());
        QVERIFY(slider.upper() - slider.lower() < 1);

        slider.setValues(20, 60); // the band moves both, and stops at the end
        const QPoint middle = ((slider.handleCentre(0) + slider.handleCentre(1)) / 2).toPoint();
        QTest::mousePress(&slider, Qt::LeftButton, {}, middle);
        QTest::mouseMove(&slider, middle + QPoint(500, 0));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, middle + QPoint(500, 0));
        QCOMPARE(slider.upper(), 100.0);
        QCOMPARE(slider.lower(), 60.0);

        slider.setValues(20, 60); // beside the band: the nearer handle jumps
        QTest::mouseClick(&slider, Qt::LeftButton, {}, QPoint(166, 10));
        QCOMPARE(slider.lower(), 20.0);
        QVERIFY(std::abs(slider.upper() - 80) < 0.6);

        const int before = edits.count();
        slider.setValues(20, 60);
        QCOMPARE(edits.count(), before);
        QTest::keyClick(&slider, Qt::Key_Left);
        QCOMPARE(slider.upper(), 59.5); // the handle that was moved last
        QTest::keyClick(&slider, Qt::Key_Space);
        QTest::keyClick(&slider, Qt::Key_PageUp);
        QCOMPARE(slider.lower(), 25.0);
        QCOMPARE(edits.count(), before + 2);
    }

    void themesAreToldByLuminance() {
        QVERIFY(isDark(darkPalette()));
        QVERIFY(!isDark(lightPalette()));
        Theme theme;
        QSignalSpy changes(&theme, &Theme::changed);
        theme.choose(ThemeChoice::dark);
        QVERIFY(theme.dark());
        QVERIFY(isDark(QApplication::palette()));
        theme.choose(ThemeChoice::light);
        QVERIFY(!theme.dark());
        QCOMPARE(changes.count(), 2);
    }

    void iconsFollowTheTheme() {
        const auto brightest = [](const QIcon& icon) {
            const QImage image = icon.pixmap(24, 24).toImage().convertToFormat(QImage::Format_ARGB32);
            int best = 0, drawn = 0;
            for (int y = 0; y < image.height(); ++y) {
                for (int x = 0; x < image.width(); ++x) {
                    if (qAlpha(image.pixel(x, y)) < 100)
                        continue;
                    ++drawn;
                    best = std::max(best, qGray(image.pixel(x, y)));
                }
            }
            return drawn > 10 ? best : -1;
        };
        Theme theme;
        for (const char* name :
             {"open",     "sample",      "export",     "recipe",    "fit",       "view-oblique",
              "view-top", "view-bottom", "view-front", "view-back", "view-left", "view-right",
              "cancel",   "light",       "dark",       "reset",     "auto",      "link",
              "close",    "copy",        "save",       "error",     "note",      "warning"}) {
            const QIcon icon = toolIcon(name);
            theme.choose(ThemeChoice::light);
            QVERIFY2(brightest(icon) >= 0 && brightest(icon) < 100, name);
            theme.choose(ThemeChoice::dark);
            QVERIFY2(brightest(icon) > 180, name);
        }
        QVERIFY(!applicationIcon().pixmap(64, 64).isNull());
        theme.choose(ThemeChoice::light);
    }
};

QTEST_MAIN(TestPanelsControls)
#include "test_panels_controls.moc"
