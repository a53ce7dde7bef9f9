// The parameter sweep: its sheet is filled while the window remains usable, and a click applies values as one
// step.
#include "engine/results/snapshot.h"
#include "gui/dialogs/sweep_dialog.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractButton>
#include <QPushButton>
#include <QToolButton>
#include <cmath>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestWindowSweep : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void theSheetFillsInAndAClickTakesValues() {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForViews());
        f.action(QStringLiteral("Parameter Sweep…"))->trigger();
        auto* dialog = f.window.findChild<SweepDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        auto* run = dialog->findChild<QPushButton*>(QStringLiteral("runSweep"));
        const Recipe before = f.window.parameters().recipe();
        QTest::mouseClick(run, Qt::LeftButton);
        QVERIFY(dialog->runner().isBusy());
        // the sheet is filled picture by picture
        QTRY_VERIFY_WITH_TIMEOUT(dialog->cells().size() >= 1, 30'000);
        QVERIFY(dialog->tile(0, 0)->isEnabled());
        // the window remains usable
        Recipe moved = before;
        moved.pointSize = 3;
        f.window.parameters().setRecipe(moved);
        emit f.window.parameters().recipeChanged(moved);
        QVERIFY(f.waitForWhole());
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->runner().isBusy(), 120'000);
        QCOMPARE(dialog->cells().size(), std::size_t(12)); // 4 x 3 pictures
        for (const auto& cell : dialog->cells()) {
            QVERIFY2(cell->problem.empty(), cell->problem.c_str());
            QCOMPARE(cell->image.pixels.size(), std::size_t(0)); // the pixels were moved to the tiles
        }
        for (const ThemeChoice theme : {ThemeChoice::light, ThemeChoice::dark}) {
            f.theme.choose(theme);
            QTest::qWait(50);
            keepPicture(*dialog, theme == ThemeChoice::dark ? QStringLiteral("sweep-dark")
                                                            : QStringLiteral("sweep-light"));
        }
        const QPixmap sheet = dialog->sheet();
        const QSize tile = dialog->tile(0, 0)->iconSize();
        QVERIFY(sheet.width() > 4 * tile.width() && sheet.height() > 3 * tile.height());
        // a picture has the view's content, including the height
        const double aspect = f.window.views().aspect();
        QVERIFY2(std::abs(double(tile.width()) / tile.height() / aspect - 1) < 0.02,
                 qPrintable(QString("%1 x %2, view %3").arg(tile.width()).arg(tile.height()).arg(aspect)));
        QVERIFY(tile.width() * tile.height() > 20'000);
        const QString folder = qEnvironmentVariable("SCANLOUPE_SCREENSHOTS");
        if (!folder.isEmpty())
            sheet.save(folder + QStringLiteral("/sweep-sheet.png"));
        QCOMPARE(std::ranges::count(dialog->csv(), '\n'), 13);

        QTest::mouseClick(dialog->tile(3, 2), Qt::LeftButton);
        const Recipe& taken = f.window.parameters().recipe();
        QVERIFY(taken.voxelSize && taken.iso);
        QCOMPARE(taken.pointSize, 3.0); // a sweep only sets its two parameters
        QVERIFY(f.waitForWhole());
        QCOMPARE(*f.snapshot()->recipe->voxelSize, *taken.voxelSize);
        const auto& cells = dialog->cells();
        const auto of =
            std::ranges::find_if(cells, [](const auto& c) { return c->column == 3 && c->row == 2; });
        QCOMPARE(std::uint64_t(f.snapshot()->voxels->size()), (*of)->voxels);
        QCOMPARE(std::uint64_t(f.snapshot()->mesh->triangleCount()), (*of)->triangles);
        for (QAction* action : f.window.findChildren<QAction*>())
            if (action->isEnabled() && action->text().startsWith(QStringLiteral("&Undo"))) {
                action->trigger(); // undo restores both values at once
                break;
            }
        QCOMPARE(f.window.parameters().recipe().voxelSize, before.voxelSize);
        QCOMPARE(f.window.parameters().recipe().iso, before.iso);
    }

    void aSweepIsCancelled() {
        WindowFixture f({1500, 900});
        QVERIFY(f.isShown());
        f.openSample();
        QVERIFY(f.waitForViews());
        f.action(QStringLiteral("Parameter Sweep…"))->trigger();
        auto* dialog = f.window.findChild<SweepDialog*>();
        auto* run = dialog->findChild<QPushButton*>(QStringLiteral("runSweep"));
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->cells().empty(), 30'000);
        QTest::mouseClick(run, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->runner().isBusy(), 5'000);
        QVERIFY(dialog->cells().size() < 12);
        QVERIFY(!dialog->tile(3, 2)->isEnabled());
        // the sheet of another scan is discarded
        f.openSample();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog->tile(0, 0), 30'000);
        QVERIFY(f.waitForViews());
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowSweep)
#include "test_window_sweep.moc"
