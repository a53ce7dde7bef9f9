// The docks that show: timings, data, log, messages, the job's status and the empty window.
#include "engine/recipe/recipe.h"
#include "engine/results/quality.h"
#include "gui/controls/message_bar.h"
#include "gui/controls/theme.h"
#include "gui/models/attribute_model.h"
#include "gui/models/property_model.h"
#include "gui/models/run_history_model.h"
#include "gui/models/stage_timing_model.h"
#include "gui/panels/data_panel.h"
#include "gui/panels/job_status.h"
#include "gui/panels/log_panel.h"
#include "gui/panels/messages_panel.h"
#include "gui/panels/stage_bars.h"
#include "gui/panels/timings_panel.h"
#include "gui/panels/welcome_pane.h"
#include "tests/gui/panels/panel_test_support.h"
#include "tests/support/test_program.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

#include <QTest>
#include <QToolButton>
#include <algorithm>
#include <memory>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestPanelsDocks : public QObject {
    Q_OBJECT

    std::unique_ptr<Theme> m_theme;

    void grab(const char* name, QWidget* widget) {
        const QByteArray folder = qgetenv("SCANLOUPE_SCREENSHOTS");
        if (folder.isEmpty())
            return;
        for (const auto choice : {ThemeChoice::light, ThemeChoice::dark}) {
            m_theme->choose(choice);
            QCoreApplication::processEvents();
            QVERIFY(widget->grab().save(QStringLiteral("%1/%2_%3.png")
                                            .arg(QString::fromLocal8Bit(folder), name,
                                                 choice == ThemeChoice::dark ? "dark" : "light")));
        }
        m_theme->choose(ThemeChoice::light);
    }
    static SavePathPrompt answer(const QString& path) {
        return [path](QWidget*, const QString&, const QString&, const QString&) { return path; };
    }
    static QByteArray contents(const QString& path) {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(no file)");
    }

private slots:
    void initTestCase() {
        QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
        m_theme = std::make_unique<Theme>();
        m_theme->choose(ThemeChoice::light);
    }
    void cleanupTestCase() { m_theme.reset(); }

    void barsAreAsLongAsTheTimes() {
        StageBars bars;
        bars.resize(600, 200);
        bars.setRun(sampleTimings(), false);
        const QRectF voxelize = bars.barRect(2), field = bars.barRect(3);
        QVERIFY(std::abs(field.width() / voxelize.width() - 23.9 / 41.3) < 0.01);
        QVERIFY(bars.barRect(1).isEmpty()); // reused
        QVERIFY(bars.accessibleDescription().contains("Upload: the last result was reused"));
        RunTimings again = sampleTimings();
        for (StageTiming& stage : again.stages)
            stage.reused = true;
        bars.setRun(again, false);
        QVERIFY(bars.barRect(2).isEmpty());
        QVERIFY(bars.accessibleDescription().contains("reused; it took 41.3 ms"));
        bars.setRun(sampleTimings(), false);
        // the bar of reading is cut off, because it would dwarf all others
        QCOMPARE(bars.barRect(0).width(), voxelize.width());
        QVERIFY(bars.accessibleDescription().contains("generate: 15.1 ms"));
        const QImage picture = bars.grab().toImage();
        const QColor wall = picture.pixelColor((voxelize.topRight() + QPointF(-3, 3)).toPoint());
        const QColor device = picture.pixelColor((voxelize.bottomLeft() + QPointF(3, -2)).toPoint());
        QCOMPARE(wall, QColor(0x56, 0xb4, 0xe9));
        QVERIFY(device.lightness() < wall.lightness());
    }

    void timingsKeepAHistory() {
        TimingsPanel panel;
        panel.resize(1100, 230);
        panel.show();
        auto snapshot = sheetSnapshot();
        panel.setSnapshot(snapshot);
        panel.setSnapshot(snapshot); // setting the same results again adds no run
        QCOMPARE(panel.history()->rowCount(), 1);
        auto nothing = sheetSnapshot();
        for (StageTiming& stage : nothing->timings.stages)
            stage.reused = true;
        panel.setSnapshot(nothing); // no stage ran
        QCOMPARE(panel.history()->rowCount(), 1);
        for (int run = 0; run < 60; ++run) {
            auto next = sheetSnapshot();
            next->timings = sampleTimings(0.4 + 0.3 * (run % 5));
            next->preview = run % 3 == 1;
            panel.setSnapshot(next);
        }
        QCOMPARE(panel.history()->rowCount(), 61);
        QCOMPARE(panel.stages()->rowCount(), 7);
        QVERIFY(panel.counts()->text().contains("triangles\t803,316"));
        grab("timings", &panel);
        panel.setSnapshot(nullptr);
        QCOMPARE(panel.stages()->rowCount(), 0);
        QCOMPARE(panel.history()->rowCount(), 61);
    }

    void timingsAreSaved() {
        const QTemporaryDir folder;
        const QString path = folder.filePath("timings.csv");
        TimingsPanel panel(answer(path));
        QSignalSpy saved(&panel, &TimingsPanel::saved), failed(&panel, &TimingsPanel::failed);
        panel.setSnapshot(sheetSnapshot());
        panel.saveCsv();
        QCOMPARE(saved.count(), 1);
        QVERIFY(contents(path).startsWith("run,preview,stage"));
        panel.saveJson();
        QVERIFY(contents(path).contains("\"total_ms\""));
        TimingsPanel nowhere(answer(folder.filePath("missing/timings.csv")));
        QSignalSpy refused(&nowhere, &TimingsPanel::failed);
        nowhere.setSnapshot(sheetSnapshot());
        nowhere.saveCsv();
        QCOMPARE(refused.count(), 1);
        QVERIFY(!refused[0][0].toString().isEmpty() && !refused[0][1].toString().isEmpty());
        TimingsPanel undecided(answer(QString()));
        undecided.setSnapshot(sheetSnapshot());
        undecided.saveCsv();
        QCOMPARE(failed.count(), 0);
    }

    void dataOfAScan() {
        DataPanel panel;
        panel.resize(300, 700);
        panel.show();
        auto snapshot = sheetSnapshot(Held::texts);
        auto cloud = sheetCloud(Held::texts);
        cloud->warnings = {"12 lines are no numbers and were left out."};
        snapshot->cloud = cloud;
        panel.setSnapshot(snapshot);
        QCOMPARE(panel.attributes()->rowCount(), 6);
        QCOMPARE(panel.sentences().size(), 3);
        QVERIFY(panel.sentences()[0].startsWith("12 lines"));
        QCOMPARE(panel.picked()->rowCount(), 0);
        panel.showPick({PrimitiveKind::point, 43, {}}, snapshot);
        QTRY_COMPARE(panel.picked()->rowCount(), 4 + 6);
        QVERIFY(panel.picked()->text().contains("x\t652000.60"));
        auto newer = std::make_shared<Snapshot>(*snapshot);
        panel.setSnapshot(newer); // new results of the same scan
        QCOMPARE(panel.picked()->rowCount(), 4 + 6);
        QCoreApplication::processEvents();
        grab("data", &panel);
        panel.showPick({PrimitiveKind::voxel, 3, {}}, snapshot);
        panel.setSnapshot(volumeSnapshot()); // the results change before the pick was answered
        QCOMPARE(panel.picked()->rowCount(), 0);
        QTest::qWait(200);
        QCOMPARE(panel.picked()->rowCount(), 0);
        QCOMPARE(panel.attributes()->rowCount(), 0);
        panel.setSnapshot(nullptr);
        QCOMPARE(panel.scan()->rowCount(), 0);
        QCOMPARE(panel.sentences().size(), 0);
    }

    void figuresOfTheMesh() {
        DataPanel panel;
        panel.resize(300, 900);
        panel.show();
        auto snapshot = sheetSnapshot();
        panel.setSnapshot(snapshot);
        QCOMPARE(panel.quality()->rowCount(), 3);
        auto measured = std::make_shared<Snapshot>(*snapshot);
        auto figures = std::make_shared<MeshQuality>();
        figures->triangles = 1;
        figures->topology = {3, 0, 1, 1, 0.5, 0, {1, 3.2, 3.2}};
        figures->stride = 1;
        figures->distances.stats = {2000, 0.0123, 0.02, 0.05, 0.4};
        measured->quality = figures;
        panel.setSnapshot(measured);
        const int rows = panel.quality()->rowCount();
        QVERIFY(rows > 12);
        QVERIFY(panel.quality()->text().contains("Points to mesh, mean\t12.3 mm"));
        QVERIFY(panel.qualityTable()->isEnabled());
        QCoreApplication::processEvents();
        grab("quality", &panel);
        // new results arrive before their figures: the previous figures stay, and turn grey
        panel.setSnapshot(snapshot);
        QCOMPARE(panel.quality()->rowCount(), rows);
        QVERIFY(panel.qualityTable()->isEnabled());
        QTRY_VERIFY(!panel.qualityTable()->isEnabled());
        panel.setSnapshot(measured);
        QVERIFY(panel.qualityTable()->isEnabled());
        panel.showMeasureProblem("The mesh is too large.", "Leave them out.");
        QCOMPARE(panel.quality()->rowCount(), 3);
        auto off = std::make_shared<Snapshot>(*snapshot);
        off->recipe->quality = QualityChoice::off;
        panel.setSnapshot(off);
        QCOMPARE(panel.quality()->rowCount(), 3);
        QVERIFY(panel.qualityTable()->isEnabled());
        panel.setSnapshot(volumeSnapshot()); // another scan has its own figures or none
        QCOMPARE(panel.quality()->rowCount(), 3);
        panel.setSnapshot(nullptr);
        QCOMPARE(panel.quality()->rowCount(), 0);
    }

    void figuresJoinTheRunThatTheyAreOf() {
        TimingsPanel panel;
        auto run = sheetSnapshot();
        panel.setSnapshot(run);
        auto measured = std::make_shared<Snapshot>(*run);
        measured->timings.stages.push_back({"quality", "cpu", false, 250, 0, 0, {{"holes", 7}}, {}});
        panel.amendRun(measured);
        QCOMPARE(panel.history()->rowCount(), 1); // figures do not count as a separate run
        QCOMPARE(panel.stages()->rowCount(), 8);
        QVERIFY(panel.counts()->text().contains("holes\t7"));
        auto again = sheetSnapshot();
        for (StageTiming& stage : again->timings.stages)
            stage.reused = true;
        panel.setSnapshot(again); // reused results, now with quality figures
        auto full = std::make_shared<Snapshot>(*again);
        full->timings.stages.push_back({"quality", "cpu", false, 900, 0, 0, {{"holes", 7}}, {}});
        panel.amendRun(full);
        QCOMPARE(panel.stages()->rowCount(), 8);
        QCOMPARE(panel.stages()->timings().find("quality")->wallMs, 900.0);
        QCOMPARE(panel.stages()->timings().find("field")->wallMs, 23.9); // the time of the original run
    }

    void messagesStayUntilClosedOrSuccess() {
        QWidget under;
        under.resize(900, 300);
        under.show();
        MessageBar bar(&under);
        QSignalSpy dismissed(&bar, &MessageBar::dismissed), shown(&bar, &MessageBar::shown);
        QVERIFY(bar.isHidden());
        bar.showError("The file 'a<b>.ply' ends in the middle of its points.",
                      "Copy it again from where it came.");
        QVERIFY(!bar.isHidden());
        QVERIFY(bar.isError());
        QCOMPARE(
            bar.text(),
            QStringLiteral(
                "The file 'a<b>.ply' ends in the middle of its points. Copy it again from where it came."));
        m_theme->choose(ThemeChoice::dark);
        QTRY_VERIFY(isDark(bar.palette()));
        m_theme->choose(ThemeChoice::light);
        QTRY_VERIFY(!isDark(bar.palette()));
        QVERIFY(bar.palette().color(QPalette::Window) != QApplication::palette().color(QPalette::Window));
        grab("message_error", &bar);
        // the bar is along the upper edge, as wide as the widget below
        QCOMPARE(bar.geometry().topLeft(), QPoint(0, 0));
        QCOMPARE(bar.width(), 900);
        under.resize(300, 300);
        QTRY_COMPARE(bar.width(), 300);
        QVERIFY(bar.height() >= bar.heightForWidth(300));
        QTest::mouseClick(bar.findChild<QToolButton*>(), Qt::LeftButton);
        QVERIFY(bar.isHidden());
        QCOMPARE(dismissed.count(), 1);
        bar.showNote("Saved bunny.glb.");
        QVERIFY(!bar.isError());
        grab("message_note", &bar);
        bar.runSucceeded(); // does not affect notes about saved files
        QVERIFY(bar.isVisible());
        bar.showRunError("All points lie in one voxel.", "Take a smaller voxel size.");
        QVERIFY(bar.isError());
        bar.runSucceeded(); // the message is outdated and was removed
        QVERIFY(bar.isHidden());
        bar.showError("a.", "b.");
        bar.runSucceeded();
        QVERIFY(bar.isVisible());
        QTest::keyClick(&bar, Qt::Key_Escape);
        QVERIFY(bar.isHidden());
        bar.dismiss();
        QCOMPARE(dismissed.count(), 3);
        QCOMPARE(shown.count(), 4);
        QCOMPARE(shown[0][0].toBool(), true);
        QCOMPARE(shown[1][0].toBool(), false);
        QCOMPARE(shown[1][1].toString(), QStringLiteral("Saved bunny.glb."));
        bar.showOffer("Restore?", "Restore", [] {});
        bar.showNote("Saved.");
        bar.dismiss(); // the offer returns, which is not another message
        QCOMPARE(bar.text(), QStringLiteral("Restore?"));
        QCOMPARE(shown.count(), 6);
    }

    void longWordsAreShortened() {
        QWidget under;
        under.resize(900, 300);
        under.show();
        MessageBar bar(&under);
        LogPanel log(answer({}));
        const QString word(5'000'000, QLatin1Char('x'));
        const auto isShort = [](const QString& text) {
            return text.size() < 5000 && text.contains(QChar(0x2026)) && text.contains("is no colour");
        };
        bar.showError(word + " is no colour", word);
        QVERIFY(isShort(bar.text()));
        QVERIFY(bar.findChild<QLabel*>()->text().size() < 5000);
        bar.showNote(word + " is no colour");
        QVERIFY(isShort(bar.text()));
        log.append(word + " is no colour");
        QVERIFY(isShort(log.text()));
    }

    void logHasTimes() {
        const QTemporaryDir folder;
        LogPanel log(answer(folder.filePath("a.log")));
        log.resize(700, 140);
        log.append("Opened street.ply: 1,000,000 points in 0.41 s.");
        log.append("CUDA can't be used: no device was found.");
        QCOMPARE(log.text().count('\n'), 1);
        static const QRegularExpression line("^\\d\\d:\\d\\d:\\d\\d\\.\\d{3}  Opened");
        QVERIFY(log.text().contains(line));
        grab("log", &log);
        log.copy();
        QCOMPARE(QApplication::clipboard()->text(), log.text());
        log.save();
        QCOMPARE(contents(folder.filePath("a.log")), log.text().toUtf8() + '\n');
        for (int i = 0; i < LogPanel::kLines + 10; ++i)
            log.append("x");
        QCOMPARE(log.text().count('\n'), LogPanel::kLines - 1);
        log.clear();
        QVERIFY(log.text().isEmpty());
    }

    void messagesListRunsLoadsAndTheWindow() {
        MessagesPanel panel;
        panel.resize(700, 200);
        panel.show();
        QAbstractItemModel* rows = panel.table()->model();
        const QAbstractItemModelTester tester(rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto cell = [&](int row, int column) { return rows->index(row, column).data().toString(); };
        panel.addRun(nullptr);
        panel.addLoad("Opened street.ply: 1,000,000 points in 0.41 s.");
        auto cloud = sheetCloud(Held::texts);
        cloud->warnings = {"12 lines are no numbers and were left out."};
        const auto runOf = [&](RunNotes notes) {
            const auto run = cloudSnapshot(cloud);
            run->notes = std::move(notes);
            return run;
        };
        const RunNotes notes{{"extract", "Iso-value chosen: 42.5."},
                             {"edit", "The model 1.stl is missing.", true},
                             {"edit", "The model 2.stl is missing.", true},
                             {"", "Up axis estimated: y."}};
        panel.addRun(runOf(notes));
        QCOMPARE(rows->rowCount(), 6);
        static const QRegularExpression time("^\\d\\d:\\d\\d:\\d\\d$");
        QVERIFY(cell(0, MessagesPanel::time).contains(time));
        QCOMPARE(cell(0, MessagesPanel::stage), stageText("read"));
        QCOMPARE(cell(1, MessagesPanel::level), QStringLiteral("Warning"));
        QVERIFY(cell(1, MessagesPanel::text).startsWith("12 lines"));
        QCOMPARE(cell(2, MessagesPanel::stage), stageText("extract"));
        QCOMPARE(cell(2, MessagesPanel::level), QStringLiteral("Note"));
        QVERIFY(cell(5, MessagesPanel::stage).isEmpty());
        panel.addRun(runOf(notes)); // the same notes
        QCOMPARE(rows->rowCount(), 6);
        RunNotes changed = notes;
        changed[0].text = "Iso-value chosen: 43.";
        auto preview = runOf(changed);
        preview->preview = true;
        panel.addRun(preview);
        QCOMPARE(cell(2, MessagesPanel::text), QStringLiteral("Iso-value chosen: 42.5."));
        panel.addRun(runOf(changed)); // replaces the note with the other number
        QCOMPARE(rows->rowCount(), 6);
        QCOMPARE(cell(5, MessagesPanel::text), QStringLiteral("Iso-value chosen: 43."));
        panel.addRun(runOf({}));
        panel.addRun(runOf(notes)); // the notes are back
        QCOMPARE(rows->rowCount(), 10);
        panel.beginScan();
        panel.addRun(runOf({{"extract", "Iso-value chosen: 1."}})); // replaces no note of the other scan
        QCOMPARE(rows->rowCount(), 12);

        panel.addMessage(false, "Read: 1 of 9.");
        panel.addMessage(false, "Read: 2 of 9."); // progress
        panel.addMessage(true, "The file ends early. Copy it again.");
        QCOMPARE(rows->rowCount(), 14);
        QCOMPARE(cell(12, MessagesPanel::text), QStringLiteral("Read: 2 of 9."));
        QCOMPARE(cell(13, MessagesPanel::level), QStringLiteral("Error"));
        grab("messages", &panel);
    }

    void messagesAreFilteredCopiedAndBounded() {
        MessagesPanel panel;
        panel.resize(700, 200);
        panel.show();
        QAbstractItemModel* rows = panel.table()->model();
        panel.addLoad("Opened a.ply.");
        panel.addMessage(true, "It failed.");
        auto run = sheetSnapshot();
        run->notes = {{"edit", "The model is missing.", true}};
        panel.addRun(run);
        panel.filter()->setFocus();
        QTest::keyClick(panel.filter(), Qt::Key_Down); // warnings and errors
        QCOMPARE(rows->rowCount(), 2);
        panel.copy();
        QCOMPARE(QApplication::clipboard()->text().count('\n'), 2);
        QVERIFY(
            QApplication::clipboard()->text().contains("\tWarning\t" + stageText("edit") + "\tThe model"));
        QTest::keyClick(panel.filter(), Qt::Key_Down); // errors
        QCOMPARE(rows->rowCount(), 1);
        panel.addLoad("Opened b.ply."); // stays hidden
        QCOMPARE(rows->rowCount(), 1);
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        panel.table()->setFocus();
        panel.table()->selectAll();
        QTest::keyClick(panel.table(), Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains("It failed."));
        panel.filter()->setCurrentIndex(0);
        QCOMPARE(rows->rowCount(), 4);
        for (int i = 0; i < MessagesPanel::kRows + 10; ++i)
            panel.addLoad(QStringLiteral("Opened %1.ply.").arg(i));
        QCOMPARE(rows->rowCount(), MessagesPanel::kRows);
        const QModelIndex last = rows->index(rows->rowCount() - 1, MessagesPanel::text);
        QVERIFY(last.data().toString().contains(QString::number(MessagesPanel::kRows + 9)));
        QTRY_VERIFY(panel.table()->viewport()->rect().intersects(panel.table()->visualRect(last)));
        panel.clear();
        QCOMPARE(rows->rowCount(), 0);
        panel.addRun(run); // a cleared note does not return with the same run
        QCOMPARE(rows->rowCount(), 0);
    }

    void statusShowsWorkThatLasts() {
        JobStatus status;
        status.resize(500, 26);
        QSignalSpy cancelled(&status, &JobStatus::cancelRequested);
        status.setBusy(true);
        QVERIFY(!status.isShown()); // the job may end immediately
        status.setBusy(false);
        QTest::qWait(300);
        QVERIFY(!status.isShown());
        status.setBusy(true);
        status.setProgress("Reading street.ply", 0.4);
        QTRY_VERIFY(status.isShown());
        QCOMPARE(status.what(), QStringLiteral("Reading street.ply"));
        status.setProgress("Marching cubes", 0.7);
        QCOMPARE(status.what(), QStringLiteral("Marching cubes"));
        grab("status", &status);
        QTest::mouseClick(status.cancelButton(), Qt::LeftButton);
        QCOMPARE(cancelled.count(), 1);
        status.setBusy(false);
        QVERIFY(!status.isShown());
    }

    void longJobsShowTheRemainingTime() {
        QCOMPARE(textOfTimeToGo(400, 0, 0.1), QString());  // too early for an estimate
        QCOMPARE(textOfTimeToGo(1000, 0, 0.5), QString()); // a short remaining time is not shown
        QCOMPARE(textOfTimeToGo(10'000, 0, 0.5), QStringLiteral("about 10 s to go"));
        QCOMPARE(textOfTimeToGo(10'000, 0.5, 0.75), QStringLiteral("about 10 s to go"));
        QCOMPARE(textOfTimeToGo(60'000, 0, 0.25), QStringLiteral("about 3 min to go"));
        QCOMPARE(textOfTimeToGo(10'000, 0.5, 0.5), QString()); // without progress, there is no estimate
        QCOMPARE(textOfStall(4000), QString());
        QCOMPARE(textOfStall(12'300), QStringLiteral("no progress for 12 s"));
    }

    void emptyWindowSaysWhatToDo() {
        WelcomePane pane;
        pane.resize(900, 560);
        QSignalSpy open(&pane, &WelcomePane::openRequested), sample(&pane, &WelcomePane::sampleRequested),
            recent(&pane, &WelcomePane::recentChosen);
        pane.setRecentFiles({"/scans/street/kitti_000123.bin", "/home/someone/scans/bunny.ply"});
        pane.show();
        QTest::mouseClick(pane.findChild<QPushButton*>("open"), Qt::LeftButton);
        QTest::keyClick(pane.findChild<QPushButton*>("sample"), Qt::Key_Space);
        QCOMPARE(open.count(), 1);
        QCOMPARE(sample.count(), 1);
        for (QPushButton* button : pane.findChildren<QPushButton*>()) {
            if (button->toolTip().endsWith("bunny.ply"))
                button->click();
        }
        QCOMPARE(recent.count(), 1);
        QCOMPARE(recent[0][0].toString(), QStringLiteral("/home/someone/scans/bunny.ply"));
        grab("welcome", &pane);
        pane.setRecentFiles({});
        const auto visible = [&] {
            return std::ranges::count_if(pane.findChildren<QPushButton*>(),
                                         [](const QPushButton* button) { return button->isVisible(); });
        };
        QCOMPARE(visible(), 2);
        const QSignalSpy restore(&pane, &WelcomePane::restoreRequested);
        pane.offerRestore("Restore bunny.ply", "It was open.");
        QCOMPARE(visible(), 4);
        pane.findChild<QPushButton*>("restore")->click();
        QCOMPARE(restore.count(), 1);
        const QSignalSpy discard(&pane, &WelcomePane::discardRequested);
        pane.findChild<QPushButton*>("discard")->click();
        QCOMPARE(discard.count(), 1);
        pane.offerRestore({}, {});
        QCOMPARE(visible(), 2);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestPanelsDocks)
#include "test_panels_docks.moc"
