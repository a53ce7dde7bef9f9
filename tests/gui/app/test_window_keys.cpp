// Keys and typing in the whole window: shortcuts work from every control, and typed values are accepted or
// rejected with a message.
#include "engine/cloud/categories.h"
#include "engine/recipe/parameters.h"
#include "gui/app/manual_window.h"
#include "gui/controls/panel_section.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "tests/gui/app/window_fixture.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTimer>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

/// Types a value into a box, followed by Enter.
void type(QDoubleSpinBox* box, const QString& text) {
    box->setFocus();
    box->selectAll();
    QTest::keyClicks(box, text);
    QTest::keyClick(box, Qt::Key_Return);
}

} // namespace

class TestWindowKeys : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    /// Opens a window with the sample and keyboard focus, even without a window manager.
    bool prepare(WindowFixture& f) {
        f.window.activateWindow();
        f.openSample();
        return f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000) && f.waitForWhole();
    }

private slots:
    void initTestCase() { QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates)); }

    void noKeyIsThatOfAMenu() {
        WindowFixture f;
        for (const QAction* menu : f.window.menuBar()->actions()) {
            const QKeySequence key = QKeySequence::mnemonic(menu->text());
            QVERIFY2(!key.isEmpty(), qPrintable(menu->text()));
            for (const QAction* action : f.window.findChildren<QAction*>())
                QVERIFY2(!action->shortcuts().contains(key), qPrintable(action->text()));
        }
    }

    void invalidInputIsReported() {
        WindowFixture f;
        QVERIFY(prepare(f));
        NumberBox* size = f.row<VoxelSizeRow>("voxel_size")->control(0)->box();
        const Recipe before = f.window.jobs().runner().recipe();
        type(size, "-5");
        QVERIFY(f.window.jobs().runner().recipe() == before);
        QVERIFY(f.window.messages().isVisible() && f.window.messages().isError());
        QVERIFY2(f.window.messages().text().contains("Voxel size") &&
                     f.window.messages().text().contains("-5"),
                 qPrintable(f.window.messages().text()));
        keepPicture(f.window, "refused");
        type(size, "0,5"); // typed with a decimal comma
        QTRY_COMPARE(f.window.jobs().runner().recipe().voxelSize->x, 0.5);
        QVERIFY(!f.window.messages().isVisible()); // the message is outdated and was removed
    }

    void aRangeBeyondTheScanIsTakenAsTyped() {
        WindowFixture f;
        QVERIFY(prepare(f));
        type(f.row<RangeRow>("range")->lower(0), "1e9");
        QTRY_COMPARE(f.window.jobs().runner().recipe().rangeMin->x, 1e9);
        QVERIFY(QTest::qWaitFor([&] { return f.window.messages().isVisible(); }, 20'000));
        QVERIFY2(f.window.messages().text().contains("range") && !f.window.messages().text().contains("--"),
                 qPrintable(f.window.messages().text()));
        keepPicture(f.window, "range_beyond");
    }

    void exportByItsKeyFromARangeField() {
        WindowFixture f;
        QVERIFY(prepare(f));
        NumberBox* box = f.row<RangeRow>("range")->lower(0);
        box->setFocus();
        QVERIFY(QTest::qWaitFor([&] { return box->hasFocus(); }));
        box->findChild<QLineEdit*>()->setCursorPosition(0);
        bool asked = false;
        QTimer::singleShot(500, &f.window, [&] {
            if (auto* dialog = f.window.findChild<ExportDialog*>()) {
                asked = true;
                dialog->reject();
            }
        });
        QTest::keyClick(box, Qt::Key_E, Qt::ControlModifier);
        QVERIFY(QTest::qWaitFor([&] { return asked; }, 5000));
        QTest::keyClick(box, Qt::Key_A, Qt::ControlModifier); // Ctrl+A edits the text, as in every field
        QVERIFY(box->findChild<QLineEdit*>()->hasSelectedText());
    }

    void viewKeysFromACombo_data() {
        QTest::addColumn<int>("key");
        QTest::newRow("fit") << int(Qt::Key_F);
        QTest::newRow("top") << int(Qt::Key_2);
        QTest::newRow("right") << int(Qt::Key_7);
        QTest::newRow("orthographic") << int(Qt::Key_O);
        QTest::newRow("nearer") << int(Qt::Key_Plus);
        QTest::newRow("farther") << int(Qt::Key_Minus);
    }
    void viewKeysFromACombo() {
        QFETCH(int, key);
        WindowFixture f;
        QVERIFY(prepare(f));
        Camera away = f.window.camera().camera();
        away.eye.x += 3; // makes fitting the view have an effect
        f.window.camera().setCamera(away);
        for (QWidget* from :
             {static_cast<QWidget*>(f.row<ChoiceRow>("field")->combo()),
              static_cast<QWidget*>(f.row<ColourByRow>("colour_by")->combo()),
              static_cast<QWidget*>(f.row<VoxelSizeRow>("voxel_size")->control(0)->slider())}) {
            from->setFocus();
            const Recipe before = f.window.jobs().runner().recipe();
            const Camera camera = f.window.camera().camera();
            QSignalSpy moved(&f.window.camera(), &LinkedCamera::changed);
            QTest::keyClick(from, Qt::Key(key));
            QVERIFY2(moved.count() == 1 && !(f.window.camera().camera() == camera),
                     from->metaObject()->className());
            QCOMPARE(f.window.parameters().recipe().field, before.field);
            QCOMPARE(f.window.parameters().recipe().colourBy, before.colourBy);
            f.window.camera().setCamera(camera);
        }
        NumberBox* box = f.row<VoxelSizeRow>("voxel_size")->control(0)->box();
        box->setFocus();
        const Camera camera = f.window.camera().camera();
        QTest::keyClick(box, Qt::Key(key)); // the key is typed into the field
        QVERIFY(f.window.camera().camera() == camera);
    }

    void f1OpensTheManualAtTheParameter() {
        WindowFixture f;
        QVERIFY(prepare(f));
        for (PanelSection* section : f.window.parameters().findChildren<PanelSection*>())
            section->setOpen(true);
        int count = 0;
        for (auto* row : f.window.parameters().findChildren<ParameterRow*>()) {
            QWidget* control = nullptr;
            for (QWidget* child : row->findChildren<QWidget*>())
                if (!control && child->isVisible() && child->isEnabled() &&
                    child->focusPolicy() & Qt::TabFocus)
                    control = child;
            if (!control)
                continue;
            f.window.activateWindow();
            QVERIFY(QTest::qWaitForWindowActive(&f.window, 20'000));
            control->setFocus();
            QTest::keyClick(control, Qt::Key_F1);
            auto* manual = f.window.findChild<ManualWindow*>();
            QVERIFY(manual && manual->isVisible());
            const QString name = QString::fromStdString(row->parameter().key);
            const QString shown = manual->findChild<QTextBrowser*>()->textCursor().block().text();
            QVERIFY2(shown.contains(" (" + name + "). "), qPrintable(name + ": " + shown));
            if (++count == 1)
                keepPicture(*manual, "manual_at_a_parameter");
        }
        QVERIFY(count > 20);
    }

    void menusShowTheKeys() {
        WindowFixture f;
        QVERIFY(f.isShown());
        const std::pair<const char*, const char*> keys[] = {
            {"Zoom to Fit", "F"}, {"Oblique", "1"},  {"Top", "2"},         {"Bottom", "3"},
            {"Front", "4"},       {"Back", "5"},     {"Left", "6"},        {"Right", "7"},
            {"Zoom In", "+"},     {"Zoom Out", "-"}, {"Perspective", "P"}, {"Orthographic", "O"},
            {"Export…", "Ctrl+E"}};
        for (const auto& [name, key] : keys) {
            QAction* action = f.action(QString::fromUtf8(name));
            QVERIFY2(action, name);
            QCOMPARE(action->shortcut().toString(), QString::fromLatin1(key));
        }
        for (QMenu* menu : f.window.findChildren<QMenu*>())
            if (menu->title() == "&View") {
                menu->popup({10, 10});
                keepPicture(*menu, "view_menu");
                menu->close();
            }
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowKeys)
#include "test_window_keys.moc"
