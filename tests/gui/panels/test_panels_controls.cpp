// The controls of panels: synchronized slider and spin box, two handles, wheel and keys.
#include "gui/controls/column_fit.h"
#include "gui/controls/icons.h"
#include "gui/controls/theme.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/range_slider.h"
#include "gui/sliders/value_control.h"
#include "tests/support/test_program.h"

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
    void columnsShareTheWidth() {
        QCOMPARE(fairWidths({40, 60}, 200), (std::vector<int>{40, 160})); // the last one gets the remainder
        QCOMPARE(fairWidths({190, 60}, 200), (std::vector<int>{140, 60}));
        QCOMPARE(fairWidths({190, 160}, 200), (std::vector<int>{100, 100}));
        QCOMPARE(fairWidths({300, 20, 90}, 200), (std::vector<int>{90, 20, 90}));
        QVERIFY(fairWidths({}, 200).empty());
    }

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
            // few digits: values set by a slider are readable in a recipe
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
        ValueControl control("Voxel size", {1e-6, 1e6, false, "m", {}}, true);
        control.setScale({0.01, 10, true});
        QSignalSpy edits(&control, &ValueControl::edited);
        control.setValue(0.1);
        QCOMPARE(edits.count(), 0); // the value was shown without an edit
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
        QCOMPARE(edits.count(), 2); // one edit per value, not one per key
        QTest::keyClick(control.box(), Qt::Key_Return);
        QCOMPARE(edits.count(), 3);
        QCOMPARE(control.value(), 25.0); // values beyond the slider's end of 10 are allowed
        QCOMPARE(control.slider()->value(), ValueScale::kSteps);
    }

    void boxRejectsValuesBeyondTheLimits() {
        ValueControl control("Point size", {1, 64, false, "px", {}}, true);
        QSignalSpy edits(&control, &ValueControl::edited);
        control.box()->selectAll();
        QTest::keyClicks(control.box(), "900");
        QTest::keyClick(control.box(), Qt::Key_Return);
        QVERIFY(control.value() <= 64);
        for (const auto& edit : edits)
            QVERIFY(edit[0].toDouble() >= 1 && edit[0].toDouble() <= 64);
    }

    void typingSurvivesNewResults() {
        ValueControl control("Iso-value", {-1e12, 1e12, false, {}, {}}, true);
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
        ValueControl control("Voxel size", {1e-6, 1e6, false, "m", {}}, true);
        control.setScale({0.01, 10, true});
        control.slider()->setSliderDown(true);
        control.setScale({0.02, 20, true});
        QCOMPARE(control.scale().low, 0.01);
        control.slider()->setSliderDown(false);
        control.setScale({0.02, 20, true});
        QCOMPARE(control.scale().low, 0.02);
    }

    void wheelInPassingChangesNothing() {
        ValueControl control("Voxel size", {0, 100, false, "m", {}}, true);
        control.setScale({0, 100});
        control.setValue(50);
        QSignalSpy edits(&control, &ValueControl::edited);
        turnWheel(control.box());
        turnWheel(control.slider());
        QCOMPARE(edits.count(), 0);
    }

    void numbersAreShownWithTheDigitsTheyHave() {
        NumberBox box;
        box.setRange(-1e12, 1e12);
        QCOMPARE(box.textFromValue(0.05), QStringLiteral("0.05"));
        QCOMPARE(box.textFromValue(652000.125), QStringLiteral("652000.125"));
        QCOMPARE(box.textFromValue(2e-6), QStringLiteral("2e-06"));
        QCOMPARE(box.textFromValue(100), QStringLiteral("100"));
        QCOMPARE(box.textFromValue(1e9), QStringLiteral("1000000000"));
        box.showValue(2e-6);
        QCOMPARE(box.valueFromText(box.text()), 2e-6);
    }

    void typedNumbersAreParsed_data() {
        QTest::addColumn<QString>("locale");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("value"); // NaN: the text is rejected
        const double refused = std::nan("");
        QTest::newRow("decimal comma") << "en_US"
                                       << "0,05" << 0.05;
        QTest::newRow("decimal point") << "de_DE"
                                       << "0.05" << 0.05;
        QTest::newRow("comma where it is usual") << "de_DE"
                                                 << "1,234" << 1.234;
        QTest::newRow("point where it is usual") << "en_US"
                                                 << "1.234" << 1.234;
        QTest::newRow("either") << "en_US"
                                << "1,234" << refused;
        QTest::newRow("either, German") << "de_DE"
                                        << "1.234" << refused;
        QTest::newRow("thousands") << "en_US"
                                   << "1,234,567.5" << 1234567.5;
        QTest::newRow("German thousands") << "en_US"
                                          << "1.234.567,5" << 1234567.5;
        QTest::newRow("blanks") << "fr_FR"
                                << "1 234 567,5" << 1234567.5;
        QTest::newRow("Swiss") << "de_CH"
                               << "1\u2019234\u2019567.5" << 1234567.5;
        QTest::newRow("own digits") << "fa_IR"
                                    << "\u06f1\u06f2\u066b\u06f5" << 12.5;
        QTest::newRow("small") << "en_US"
                               << "0.0000001" << 1e-7;
        QTest::newRow("smallest") << "en_US"
                                  << "1e-15" << 1e-15;
        QTest::newRow("exponent") << "en_US"
                                  << "1e9" << 1e9;
        QTest::newRow("largest") << "en_US"
                                 << "1E15" << 1e15;
        QTest::newRow("all digits") << "en_US"
                                    << "0.12345678901234567" << 0.12345678901234567;
        QTest::newRow("map") << "en_US"
                             << "5408000.123456" << 5408000.123456;
        QTest::newRow("with its unit") << "en_US"
                                       << "0.3 m" << 0.3;
        QTest::newRow("another unit") << "en_US"
                                      << "3 mm" << refused;
        QTest::newRow("negative") << "en_US"
                                  << "-5" << refused;
        QTest::newRow("minus sign") << "en_US"
                                    << "\u22125" << refused;
        QTest::newRow("too large") << "en_US"
                                   << "1e16" << refused;
        QTest::newRow("none") << "en_US"
                              << "0" << refused;
        QTest::newRow("beyond doubles") << "en_US"
                                        << "1e999" << refused;
        QTest::newRow("words") << "en_US"
                               << "ten" << refused;
        QTest::newRow("infinite") << "en_US"
                                  << "inf" << refused;
        QTest::newRow("two numbers") << "en_US"
                                     << "0.1,0.2,0.3" << refused;
    }
    void typedNumbersAreParsed() {
        QFETCH(QString, locale);
        QFETCH(QString, typed);
        QFETCH(double, value);
        ValueControl control("Voxel size", {1e-15, 1e15, false, "m", {}}, true);
        control.box()->setLocale(QLocale(locale));
        control.setValue(0.25);
        control.show();
        control.activateWindow();
        control.box()->setFocus();
        QVERIFY(QTest::qWaitFor([&] { return control.box()->hasFocus(); }));
        QSignalSpy edits(&control, &ValueControl::edited), refusals(control.box(), &NumberBox::refused);
        const QString old = control.box()->text();
        control.box()->selectAll();
        for (const QChar c : typed) { // characters of any script, as input methods send them
            QKeyEvent press(QEvent::KeyPress, 0, Qt::NoModifier, QString(c));
            QApplication::sendEvent(control.box(), &press);
        }
        QTest::keyClick(control.box(), Qt::Key_Return);
        const bool taken = !std::isnan(value);
        QCOMPARE(control.value(), taken ? value : 0.25);
        QCOMPARE(edits.count(), taken ? 1 : 0);
        QCOMPARE(refusals.count(), taken ? 0 : 1);
        if (taken) { // with the focus, the shown text is parsed to the same value
            QCOMPARE(control.box()->valueFromText(control.box()->text()), value);
        } else {
            QCOMPARE(control.box()->text(), old);
            QVERIFY2(refusals[0][0].toString().contains("Voxel size"), qPrintable(refusals[0][0].toString()));
            QVERIFY2(refusals[0][0].toString().contains(typed), qPrintable(refusals[0][0].toString()));
            QVERIFY(!refusals[0][1].toString().isEmpty());
        }
    }

    void allDigitsAreShownWhileEditing() {
        NumberBox box;
        box.setButtonSymbols(QAbstractSpinBox::NoButtons);
        box.setRange(-1e15, 1e15);
        box.show();
        const double value = 5408012.3456789012;
        box.showValue(value);
        QVERIFY(!box.hasFocus());
        QCOMPARE(box.text(), QStringLiteral("5408012.346"));
        QVERIFY2(box.fontMetrics().horizontalAdvance("5408012.346") <= box.minimumSizeHint().width() - 6,
                 qPrintable(QString::number(box.minimumSizeHint().width())));
        box.interpretText(); // the shortened text doesn't change the number
        QCOMPARE(box.value(), value);
        box.activateWindow();
        box.setFocus();
        QVERIFY(QTest::qWaitFor([&] { return box.hasFocus(); }));
        QCOMPARE(box.text().toDouble(), value);
        QTest::keyClick(&box, Qt::Key_Return);
        QCOMPARE(box.value(), value);
    }

    void aRoundingThatIsTypedIsTaken() {
        QWidget window;
        auto *box = new NumberBox(&window), *next = new NumberBox(&window);
        next->move(0, 60);
        box->setRange(-1e15, 1e15);
        box->showValue(0.0333333333);
        window.show();
        window.activateWindow();
        box->setFocus();
        QVERIFY(QTest::qWaitFor([&] { return box->hasFocus(); }));
        QTest::keyClick(box, Qt::Key_Tab); // leaves the field without typing
        QVERIFY(!box->hasFocus());
        QCOMPARE(box->value(), 0.0333333333);
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, "0.033333"); // types the number as it is shown, with few digits
        QTest::keyClick(box, Qt::Key_Tab);
        QVERIFY(!box->hasFocus());
        QCOMPARE(box->value(), 0.033333);
    }

    void arrowsStepByTheSizeOfTheValue() {
        NumberBox box;
        box.setRange(0, 1e15);
        box.setValue(0.8);
        for (int i = 0; i < 3; ++i)
            QTest::keyClick(&box, Qt::Key_Down);
        QCOMPARE(box.value(), 0.77);
        box.setValue(0);
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(box.value(), 0.01);
        box.setValue(652000.125);
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(box.value(), 662000.125);
        box.setDecimals(0);
        box.setValue(7);
        QTest::keyClick(&box, Qt::Key_Up);
        QCOMPARE(box.value(), 8.0);
    }

    void wholeNumbersOnly() {
        ValueControl control("Max. triangles", {0, 4e9, true, {}, "off"}, false);
        QSignalSpy refusals(control.box(), &NumberBox::refused);
        const auto type = [&](const QString& text) {
            control.box()->selectAll();
            QTest::keyClicks(control.box(), text);
            QTest::keyClick(control.box(), Qt::Key_Return);
        };
        QCOMPARE(control.box()->text(), QStringLiteral("off"));
        type("1e6");
        QCOMPARE(control.value(), 1e6);
        QCOMPARE(control.box()->text(), QStringLiteral("1000000"));
        type("2.5");
        QCOMPARE(control.value(), 1e6);
        QCOMPARE(refusals.count(), 1);
        type("off");
        QCOMPARE(control.value(), 0.0);
        QCOMPARE(refusals.count(), 1);
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

        QTest::mousePress(&slider, Qt::LeftButton, {}, upper); // a handle can't be dragged past the other one
        QTest::mouseMove(&slider, QPoint(0, 10));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, QPoint(0, 10));
        QVERIFY(slider.upper() > slider.lower());
        QVERIFY(slider.upper() - slider.lower() < 1);

        slider.setValues(20, 60); // dragging the band moves both handles, and stops at the end
        const QPoint middle = ((slider.handleCentre(0) + slider.handleCentre(1)) / 2).toPoint();
        QTest::mousePress(&slider, Qt::LeftButton, {}, middle);
        QTest::mouseMove(&slider, middle + QPoint(500, 0));
        QTest::mouseRelease(&slider, Qt::LeftButton, {}, middle + QPoint(500, 0));
        QCOMPARE(slider.upper(), 100.0);
        QCOMPARE(slider.lower(), 60.0);

        slider.setValues(20, 60); // outside of the band, the nearer handle jumps to the click
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

    void themesAreRecognisedByLuminance() {
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

SCANLOUPE_TEST_IN(QApplication, TestPanelsControls)
#include "test_panels_controls.moc"
