// The command palette and the list of keys, in the window.
#include "gui/app/command_palette.h"
#include "gui/app/keys_dialog.h"
#include "tests/gui/app/window_fixture.h"

#include <QDockWidget>
#include <QLineEdit>
#include <QMap>
#include <QMenuBar>
#include <QTreeView>
#include <QTreeWidget>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestCommandPalette : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

    bool prepare(WindowFixture& f) {
        f.window.activateWindow();
        return f.isShown() && QTest::qWaitForWindowActive(&f.window, 20'000);
    }
    /// Opens the palette by its key.
    static CommandPalette* open(WindowFixture& f, QWidget* from) {
        QTest::keyClick(from, Qt::Key_K, Qt::ControlModifier);
        auto* palette = f.window.findChild<CommandPalette*>();
        return palette && palette->isVisible() && palette->field()->hasFocus() ? palette : nullptr;
    }

private slots:
    void init() { QSettings().clear(); }

    void noKeyHasTwoMeanings() {
        WindowFixture f;
        QMap<QString, QString> meaning;
        for (const QAction* action : f.window.findChildren<QAction*>()) {
            if (action->shortcutContext() != Qt::WindowShortcut)
                continue; // shortcut of a single widget
            for (const QKeySequence& keys : action->shortcuts()) {
                const QString other = meaning.value(keys.toString());
                QVERIFY2(other.isNull(), qPrintable(keys.toString() + ": " + other + ", " + action->text()));
                meaning.insert(keys.toString(), action->text());
            }
        }
        QVERIFY(meaning.size() > 30);
    }

    void aCommandIsFoundAndRun() {
        WindowFixture f;
        QVERIFY(prepare(f));
        f.openSample();
        QVERIFY(f.waitForViews());
        QWidget* view = f.window.views().views()[1]->widget();
        view->setFocus();
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            f.theme.choose(theme);
            CommandPalette* palette = open(f, view);
            QVERIFY(palette);
            QTest::qWait(50);
            keepPicture(f.window, theme == ThemeChoice::dark ? "palette_dark" : "palette_light");
            QTest::keyClick(palette->field(), Qt::Key_Escape);
            QVERIFY(!f.window.findChild<CommandPalette*>() || !palette->isVisible());
            QVERIFY(view->hasFocus());
            QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        }
        CommandPalette* palette = open(f, view);
        QVERIFY(palette);
        QTest::keyClicks(palette->field(), "stacked");
        keepPicture(f.window, "palette_search");
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(QTest::qWaitFor([&] { return f.window.views().viewLayout() == ViewLayout::stacked; }, 5000));
        QVERIFY(view->hasFocus());
    }

    void arrowsPassOverWhatIsDisabled() {
        WindowFixture f; // without a scan, many actions are disabled
        QVERIFY(prepare(f));
        CommandPalette* palette = open(f, &f.window);
        QVERIFY(palette);
        const auto row = [&] { return palette->list()->currentIndex(); };
        QCOMPARE(row().data().toString(), "Open");
        for (int i = 0; i < 60; ++i) {
            QVERIFY(row().flags() & Qt::ItemIsEnabled);
            QTest::keyClick(palette->field(), Qt::Key_Down);
        }
        const int last = row().row();
        QTest::keyClick(palette->field(), Qt::Key_Down);
        QCOMPARE(row().row(), last);
        QTest::keyClick(palette->field(), Qt::Key_PageUp);
        QVERIFY(row().row() < last);
        QTest::keyClicks(palette->field(), "save recipe");
        QVERIFY(!row().isValid()); // the command is listed but disabled
        QVERIFY(palette->list()->model()->rowCount() >= 1);
        keepPicture(f.window, "palette_disabled");
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QVERIFY(palette->isVisible());
        palette->field()->setText("xyzzy");
        QCOMPARE(palette->list()->model()->rowCount(), 0);
        keepPicture(f.window, "palette_nothing");
        QTest::keyClick(palette->field(), Qt::Key_Return);
        QTest::keyClick(palette->field(), Qt::Key_Down);
    }

    void everyEntryOfTheMenusIsInIt() {
        WindowFixture f;
        QVERIFY(prepare(f));
        const std::vector<MenuCommand> all = menuCommands(*f.window.menuBar());
        const auto has = [&](const QString& name, const QString& path, const QString& keys) {
            return std::any_of(all.begin(), all.end(), [&](const MenuCommand& one) {
                return one.command.name == name && one.command.path == path && one.command.keys == keys;
            });
        };
        QVERIFY(has("Export", "File", "Ctrl+E"));
        QVERIFY(has("Zoom to Fit", "View", "F"));
        QVERIFY(has("Dark", "View › Theme", ""));
        QVERIFY(has("Single View", "View › Layout", "Ctrl+4"));
        QVERIFY(has("Parameters", "View", ""));
        for (const MenuCommand& one : all)
            QVERIFY2(one.action && !one.command.name.contains('&'), qPrintable(one.command.name));
    }

    void aClickElsewhereClosesIt() {
        WindowFixture f;
        QVERIFY(prepare(f));
        f.openSample();
        QVERIFY(f.waitForViews());
        CommandPalette* palette = open(f, f.window.views().views()[0]->widget());
        QVERIFY(palette);
        QTest::mouseClick(f.window.views().views()[2]->widget(), Qt::LeftButton);
        QVERIFY(!palette->isVisible());
        QVERIFY(f.window.views().views()[0]->widget()->hasFocus() ||
                f.window.views().views()[2]->widget()->hasFocus());
    }

    void escapeClosesItAndNotThePresentation() {
        WindowFixture f;
        QVERIFY(prepare(f));
        f.openSample();
        QVERIFY(f.waitForViews());
        QWidget* view = f.window.views().views()[1]->widget();
        f.action("Presentation Mode")->trigger();
        QVERIFY(f.action("Presentation Mode")->isChecked());
        CommandPalette* palette = open(f, view);
        QVERIFY(palette);
        QTest::keyClick(palette->field(), Qt::Key_Escape);
        QVERIFY(!palette->isVisible() && f.action("Presentation Mode")->isChecked());
        QTest::keyClick(view, Qt::Key_Escape);
        QVERIFY(!f.action("Presentation Mode")->isChecked());
    }

    void theKeysAreListed() {
        WindowFixture f;
        QVERIFY(prepare(f));
        QTest::keyClick(&f.window, Qt::Key_Question);
        auto* dialog = f.window.findChild<KeysDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* tree = dialog->findChild<QTreeWidget*>();
        const auto visible = [&] {
            QStringList rows;
            for (int i = 0; i < tree->topLevelItemCount(); ++i)
                for (int k = 0; k < tree->topLevelItem(i)->childCount(); ++k)
                    if (QTreeWidgetItem* row = tree->topLevelItem(i)->child(k); !row->isHidden())
                        rows << row->text(0) + "|" + row->text(1);
            return rows;
        };
        QVERIFY(visible().contains("Export|Ctrl+E") && visible().contains("Zoom to Fit|F"));
        QVERIFY(visible().contains("Orbit by steps|Arrow keys"));
        QVERIFY(visible().contains("Presentation Mode|F11"));
        QTest::qWait(50);
        keepPicture(*dialog, "keys");
        dialog->findChild<QLineEdit*>()->setText("zoom");
        QVERIFY(!visible().isEmpty() && visible().filter("oom").size() == visible().size());
        QTest::keyClick(dialog, Qt::Key_Escape);
        QVERIFY(!dialog->isVisible());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestCommandPalette)
#include "test_command_palette.moc"
