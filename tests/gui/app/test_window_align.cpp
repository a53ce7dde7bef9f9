// Scans aligned in the window: chosen, aligned, shown together, their poses saved.
#include "engine/align/merge_clouds.h"
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/read_options.h"
#include "engine/io/common/write/write_options.h"
#include "engine/io/scan_reader.h"
#include "engine/io/trajectory.h"
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "gui/controllers/project_controller.h"
#include "gui/dialogs/export_dialog.h"
#include "gui/jobs/align_runner.h"
#include "gui/models/align_model.h"
#include "gui/models/scan_properties.h"
#include "gui/panels/align_form.h"
#include "gui/panels/align_panel.h"
#include "gui/panels/parameters/colour_by_row.h"
#include "gui/panels/player_bar.h"
#include "gui/panels/scan_list_panel.h"
#include "gui/sliders/number_box.h"
#include "tests/gui/app/drive_folder.h"
#include "tests/gui/app/window_fixture.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTimer>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

namespace {

constexpr std::size_t kPoints = DriveFolder::kPoints;

/// A window with the scans of a folder and its panel in front.
struct AlignFixture : WindowFixture {
    explicit AlignFixture(const DriveFolder& drive, SeveralAs kind = SeveralAs::sequence) {
        window.open({drive.folder.path()}, kind);
        action(QStringLiteral("Align Scans…"))->trigger();
    }
    AlignPanel& panel() { return window.alignment(); }
    AlignModel& model() { return panel().model(); }
    QPushButton* button(const char* name) { return panel().findChild<QPushButton*>(QLatin1String(name)); }
    QString state() { return panel().findChild<QLabel*>(QStringLiteral("alignState"))->text(); }
    QString cell(int row, AlignModel::Column column) {
        return model().index(row, column).data(Qt::DisplayRole).toString();
    }
    void tick(int row, bool ticked) {
        model().setData(model().index(row, 0), ticked ? Qt::Checked : Qt::Unchecked, Qt::CheckStateRole);
    }
    bool waitForAlignment() {
        return QTest::qWaitFor([&] { return !panel().runner().isBusy(); }, 30'000);
    }
    /// Waits until the scans are shown together as one cloud of `points` points.
    bool waitForTogether(std::size_t points) {
        return QTest::qWaitFor(
                   [&] { return window.playlist().isTogether() && snapshot()->cloud->size() == points; },
                   30'000) &&
               waitForViews();
    }
};

} // namespace

class TestWindowAlign : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;

private slots:
    void aSequenceBecomesOneCloud() {
        const DriveFolder drive(8);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        const QAbstractItemModelTester tester(&f.model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        QCOMPARE(f.model().rowCount(), 8);
        QVERIFY(f.panel().isVisible() && !f.panel().visibleRegion().isEmpty());
        QVERIFY(!f.button("together")->isEnabled() && !f.button("savePoses")->isEnabled());
        QVERIFY2(f.state().contains("8 of 8"), qPrintable(f.state()));

        QTest::mouseClick(f.button("align"), Qt::LeftButton);
        QVERIFY(f.panel().runner().isBusy());
        QCOMPARE(f.button("align")->text(), QStringLiteral("Stop"));
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(8 * kPoints));
        for (int row = 0; row < 8; ++row) {
            const AlignedScanPtr& scan = f.model().result(row);
            QVERIFY(scan && norm(scan->alignment.pose.translation -
                                 drive.truth[std::size_t(row)].translation) < 0.05);
        }
        QCOMPARE(f.cell(0, AlignModel::x), QStringLiteral("0.000"));
        QCOMPARE(f.cell(0, AlignModel::steps), QString());
        QVERIFY(f.cell(7, AlignModel::x).startsWith("1.8"));
        QVERIFY2(f.cell(7, AlignModel::remark).startsWith("right ("),
                 qPrintable(f.cell(7, AlignModel::remark)));
        QCOMPARE(f.cell(0, AlignModel::remark), QStringLiteral("fixed"));
        QVERIFY(!f.child<QLabel>("alignVerdict")->isVisible()); // there are no doubtful poses to show
        QVERIFY(f.cell(7, AlignModel::overlap).endsWith('%') && f.cell(7, AlignModel::steps).toInt() > 0);
        QVERIFY(f.window.windowTitle().startsWith("8 combined scans"));
        QVERIFY(f.snapshot()->cloud->attribute("scan"));
        QCOMPARE(scanName(*f.snapshot()), QStringLiteral("8 scans"));
        QVERIFY(!f.button("together")->isEnabled() && f.button("savePoses")->isEnabled());
        QVERIFY(!f.window.messages().isError());
        keepPicture(f.window, "align");

        f.window.playlist().step(-1); // shows the last scan alone, then all together again
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 7; }, 20'000));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->cloud->size(), kPoints);
        QVERIFY(f.button("together")->isEnabled());
        QTest::mouseClick(f.button("together"), Qt::LeftButton);
        QVERIFY(f.waitForTogether(8 * kPoints));
        f.window.playlist().step(1);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 0; }, 20'000));
    }

    void posesOfAFileAreTaken() {
        const DriveFolder drive(4);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        const QTemporaryDir folder;
        const QString few = folder.filePath("few.txt"), all = folder.filePath("all.tum");
        Trajectory truth{drive.truth, {}};
        writeTrajectory(all.toStdString(), truth, PoseFormat::tum);
        truth.poses.pop_back();
        writeTrajectory(few.toStdString(), truth, PoseFormat::kitti);

        f.panel().loadPoses(few);
        QVERIFY(f.window.messages().isError());
        QVERIFY2(f.window.messages().text().contains("3 poses, but 4 scans"),
                 qPrintable(f.window.messages().text()));
        QVERIFY(!f.window.playlist().isTogether());
        f.panel().loadPoses(folder.filePath("none.txt"));
        QVERIFY(f.window.messages().isError());

        f.panel().loadPoses(all);
        QVERIFY(f.waitForTogether(4 * kPoints));
        QCOMPARE(f.cell(3, AlignModel::remark), QStringLiteral("from file"));
        QCOMPARE(f.cell(3, AlignModel::x).toDouble(), std::round(drive.truth[3].translation.x * 1000) / 1000);
        QVERIFY2(f.state().startsWith("Poses from a file"), qPrintable(f.state()));
        QVERIFY(!f.button("savePoses")->isEnabled());
        f.window.playlist().step(1);
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 0; }, 20'000));
        QVERIFY(f.button("together")->isEnabled());
        QTest::mouseClick(f.button("together"), Qt::LeftButton);
        QVERIFY(f.waitForTogether(4 * kPoints));
        // the merged cloud at these poses can be saved
        QVERIFY(f.action(QStringLiteral("Save Points As…"))->isEnabled());
    }

    void scansOfOnePlaceAreShownTogether() {
        const DriveFolder drive(3);
        drive.write("broken.ply", "ply\nformat binary_little_endian 1.0\nelement vertex 9\nend_header\n");
        AlignFixture f(drive, SeveralAs::place);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForTogether(3 * kPoints));
        QCOMPARE(f.snapshot()->recipe->colourBy, std::string(kScanAttribute));
        QVERIFY2(f.window.messages().isError(), "the broken one is told");
        auto* table = f.child<ScanListPanel>("scanList")->table();
        QAbstractItemModel& list = *table->model();
        const QAbstractItemModelTester tester(&list, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto setVisible = [&](int row, bool visible) {
            return list.setData(list.index(row, 0), visible ? Qt::Checked : Qt::Unchecked,
                                Qt::CheckStateRole);
        };
        QVERIFY(!setVisible(0, false)); // broken.ply can't be shown
        f.window.camera().zoom(f.window.camera().camera().target, 0.5);
        QVERIFY(f.waitForViews());
        keepPicture(f.window, "place");
        const Camera camera = f.window.camera().camera();
        const double third = f.snapshot()->cloud->attribute(kScanAttribute)->max();
        QVERIFY(setVisible(2, false));
        QVERIFY(f.waitForTogether(2 * kPoints));
        QVERIFY(f.window.camera().camera() == camera);
        QCOMPARE(f.snapshot()->cloud->attribute(kScanAttribute)->max(), third); // a scan keeps its colour
        emit table->doubleClicked(list.index(3, 0));                            // shows one scan alone
        QVERIFY(f.waitForTogether(kPoints));
        QVERIFY(setVisible(3, false)); // the last visible scan can't be hidden
        QCOMPARE(list.index(3, 0).data(Qt::CheckStateRole).toInt(), int(Qt::Checked));
        f.window.playlist().step(1); // skips to the next readable scan
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().isVisible(1); }, 1000));
        QVERIFY(!f.window.playlist().isVisible(3));
        QVERIFY(f.waitForTogether(kPoints));
        emit table->doubleClicked(list.index(1, 0)); // the scan is alone already: shows all scans
        QVERIFY(f.waitForTogether(3 * kPoints));

        auto* aligned = f.panel().findChild<QCheckBox*>("aligned");
        QVERIFY(!aligned->isEnabled());
        f.tick(0, false);
        const Vec3d before = f.snapshot()->cloud->bounds().max;
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(QTest::qWaitFor([&] { return !(f.snapshot()->cloud->bounds().max == before); }, 20'000));
        QVERIFY(f.waitForTogether(3 * kPoints));
        QVERIFY(aligned->isEnabled() && aligned->isChecked());
        const Vec3d after = f.snapshot()->cloud->bounds().max;
        aligned->click(); // switches between original and aligned poses
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->bounds().max == before; }, 20'000));
        QVERIFY(f.action("Undo Scans at their file positions"));
        f.action("Undo Scans at their file positions")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud->bounds().max == after; }, 20'000));
        QVERIFY(f.waitForViews());
    }

    void aligningAgainKeepsColourAndCamera() {
        const DriveFolder drive(3);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(3 * kPoints));
        QVERIFY(f.waitForViews());
        auto* colours = f.row<ColourByRow>("colour_by")->combo();
        colours->setCurrentIndex(colours->findData("scan"));
        emit colours->activated(colours->currentIndex());
        f.window.camera().show(StandardView::left, 1);
        f.window.camera().zoom(f.window.camera().camera().target, 0.5);
        QVERIFY(f.waitForViews());
        const Camera camera = f.window.camera().camera();
        const auto cloud = f.snapshot()->cloud;
        // starts with all scans together, then with a single frame
        for (const bool leaving : {false, true}) {
            if (leaving) {
                f.window.playlist().step(1);
                QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 0; }, 20'000));
            }
            f.button("align")->click();
            QVERIFY(f.waitForAlignment());
            QVERIFY(f.waitForTogether(3 * kPoints));
            QVERIFY(QTest::qWaitFor([&] { return f.snapshot()->cloud != cloud; }, 20'000));
            QVERIFY(f.waitForViews());
            QCOMPARE(f.window.jobs().runner().recipe().colourBy, std::string("scan"));
            QVERIFY(f.window.camera().camera() == camera);
        }
    }

    void onlyTickedScansAreAligned() {
        const DriveFolder drive(5);
        AlignFixture f(drive, SeveralAs::clouds);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        for (const int row : {0, 2})
            f.tick(row, false);
        QVERIFY2(f.state().contains("3 of 5"), qPrintable(f.state()));
        auto* to = f.panel().findChild<QComboBox*>();
        QVERIFY(to);
        to->setCurrentIndex(to->findText("the first scan"));
        QCOMPARE(f.panel().form().params().to, AlignTo::first);
        auto* search = f.panel().findChild<NumberBox*>(QStringLiteral("search"));
        QCOMPARE(f.panel().form().params().searchRadius, 0.0);
        search->setValue(2);
        QCOMPARE(f.panel().form().params().searchRadius, 2.0);
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(3 * kPoints));
        QVERIFY(!f.model().result(0) && !f.model().result(2));
        const Vec3d moved = drive.truth[4].translation - drive.truth[1].translation;
        QVERIFY(norm(f.model().result(4)->alignment.pose.translation - moved) < 0.05);
        QCOMPARE(f.panel().runner().outcome()->params.to, AlignTo::first);

        for (const int row : {1, 3})
            f.tick(row, false);
        QVERIFY(!f.button("align")->isEnabled()); // a single scan can't be aligned
    }

    void scansThatCantBeAlignedAreReported() {
        const DriveFolder drive(4);
        QByteArray far;
        for (int i = 0; i < 400; ++i)
            far += QByteArray::number(5000 + i % 20) + ' ' + QByteArray::number(i / 20) + " 3\n";
        drive.write(QStringLiteral("frame2b.xyz"), far);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        QCOMPARE(f.model().rowCount(), 5);
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(4 * kPoints));
        int without = -1;
        for (int row = 0; row < 5; ++row)
            if (f.cell(row, AlignModel::remark) == "no pose")
                without = row;
        QVERIFY(without > 0);
        QVERIFY2(f.window.messages().text().contains("1 wrong or missing"),
                 qPrintable(f.window.messages().text()));
        auto* verdict = f.child<QLabel>("alignVerdict");
        QVERIFY(verdict->isVisible() && verdict->text().contains("frame2b"));
        QVERIFY2(verdict->text().contains("no point of the scan"), qPrintable(verdict->text()));
    }

    void theVerdictIsShownWhole() {
        const DriveFolder drive(2);
        // frame 60 is too far away for an alignment without a search
        const SyntheticDrive all({}, 100, kPoints);
        writeCloud(drive.path(2).toStdString(), all.cloud(60, false, {}), {}, {});
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(2 * kPoints)); // the scan with the wrong pose is not merged
        QVERIFY2(f.cell(2, AlignModel::remark).startsWith("wrong ("),
                 qPrintable(f.cell(2, AlignModel::remark)));
        auto* table = f.panel().findChild<QTableView*>();
        auto* verdict = f.child<QLabel>("alignVerdict");
        QVERIFY(verdict->isVisible() && verdict->text().startsWith("frame3"));
        QVERIFY2(verdict->text().contains("Set a search radius"), qPrintable(verdict->text()));
        const QModelIndex cell = f.model().index(2, AlignModel::remark);
        QVERIFY(table->visualRect(cell).width() >=
                table->sizeHintForIndex(cell).width()); // no text is cut off
        QVERIFY(verdict->height() >= verdict->heightForWidth(verdict->width()));
        QVERIFY(verdict->text().contains(cell.data().toString()));
        QVERIFY(verdict->text().endsWith(cell.data(Qt::ToolTipRole).toString()));
        QVERIFY(f.window.messages().isError());
        table->selectRow(1);
        QVERIFY2(verdict->text().startsWith("frame2") && verdict->text().contains("right ("),
                 qPrintable(verdict->text()));
        table->clearSelection();
        QVERIFY(verdict->text().startsWith("frame3"));
        keepPicture(f.window, "verdict");
    }

    void doubtsAreConfirmedBeforeSaving() {
        const DriveFolder drive(2);
        const SyntheticDrive all({}, 100, kPoints);
        // too far away for an alignment
        writeCloud(drive.path(2).toStdString(), all.cloud(60, false, {}), {}, {});
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(2 * kPoints));
        const QString points = drive.folder.filePath("all.las");
        QString asked;
        const auto answer = [&](QMessageBox::StandardButton button) {
            auto* timer = new QTimer(&f.window);
            connect(timer, &QTimer::timeout, &f.window, [&asked, button, timer, points] {
                QWidget* dialog = QApplication::activeModalWidget();
                if (auto* exporting = qobject_cast<ExportDialog*>(dialog)) {
                    exporting->setPath(points);
                    exporting->accept();
                } else if (auto* question = qobject_cast<QMessageBox*>(dialog)) {
                    asked = question->text() + question->informativeText();
                    keepPicture(*question, "doubts");
                    timer->deleteLater();
                    question->button(button)->click();
                }
            });
            timer->start(10);
        };
        answer(QMessageBox::Cancel);
        f.action("Save Points As…")->trigger();
        QVERIFY2(asked.contains("1 of 3 scans") && asked.contains("frame3.ply: wrong"), qPrintable(asked));
        QVERIFY2(asked.contains("left out"), qPrintable(asked));
        QVERIFY(!f.window.jobs().exporter().isBusy() && !QFile::exists(points));
        answer(QMessageBox::Save);
        f.action("Save Points As…")->trigger();
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(points); }, 20'000));
        // the file includes points far outside
        QCOMPARE(readScan(points.toStdString(), {}, {})->size(), 2 * kPoints);

        QVERIFY(f.window.project().saveProjectTo(drive.folder.filePath("doubts.json")));
        {
            WindowFixture other;
            other.window.project().openProject(drive.folder.filePath("doubts.json"));
            QVERIFY(other.isShown() && other.waitForWhole() && !other.window.isWindowModified());
            const AlignModel& model = other.window.alignment().model();
            QVERIFY(model.index(2, AlignModel::remark).data().toString().startsWith("wrong ("));
            QCOMPARE(model.index(2, AlignModel::x).data().toString(), QString()); // a wrong pose is not kept
            QCOMPARE(model.index(1, AlignModel::x).data(), f.model().index(1, AlignModel::x).data());
            WindowFixture::answer(QMessageBox::Cancel, &asked);
            QVERIFY(!other.window.alignment().mayExport());
            QVERIFY2(asked.contains("1 of 3 scans"), qPrintable(asked));
        }
        f.window.playlist().setAligned(false); // scans at the positions in their files
        QVERIFY(f.waitForTogether(3 * kPoints));
        asked.clear();
        answer(QMessageBox::Cancel);
        f.action("Save Points As…")->trigger();
        QVERIFY2(asked.contains("not aligned"), qPrintable(asked));
        asked.clear();
        answer(QMessageBox::Cancel); // the poses are only guesses
        f.button("savePoses")->click();
        QVERIFY2(asked.contains("guesses"), qPrintable(asked));

        f.window.playlist().show(0); // a single scan has no doubtful pose
        QVERIFY(QTest::qWaitFor([&] { return f.window.playlist().shown() == 0; }, 20'000));
        QVERIFY(f.waitForViews());
        QVERIFY(f.panel().mayExport());
    }

    void stopButtonStopsTheAlignment() {
        const DriveFolder drive(8);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        f.button("align")->click();
        QVERIFY(f.panel().runner().isBusy());
        f.button("align")->click();
        QVERIFY(!f.panel().runner().isBusy());
        QVERIFY(!f.panel().runner().outcome());
        QTest::qWait(500); // no late result arrives
        QVERIFY(!f.panel().runner().outcome() && !f.window.playlist().isTogether());
        QCOMPARE(f.button("align")->text(), QStringLiteral("Align"));
        f.button("align")->click(); // alignment can be started again
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(8 * kPoints));
    }

    void anotherListForgetsTheLast() {
        const DriveFolder drive(3);
        AlignFixture f(drive);
        QVERIFY(f.isShown());
        QVERIFY(f.waitForViews());
        f.button("align")->click();
        QVERIFY(f.waitForAlignment());
        QVERIFY(f.waitForTogether(3 * kPoints));
        f.answer(QMessageBox::Discard); // the question about unsaved poses
        f.openSample();
        QVERIFY(QTest::qWaitFor([&] { return f.model().rowCount() == 0; }, 30'000));
        QVERIFY(!f.button("align")->isEnabled() && !f.button("savePoses")->isEnabled());
        QVERIFY2(f.state().contains("at least two scans"), qPrintable(f.state()));
    }

    void posesAreSaved_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("KITTI") << "poses.txt";
        QTest::newRow("TUM") << "poses.tum";
        QTest::newRow("nowhere") << "missing/poses.txt";
    }
    void posesAreSaved() {
        QFETCH(QString, name);
        const DriveFolder drive(3);
        ScanJobs jobs(Backend::cpu);
        Playlist playlist(jobs.loader(), jobs.runner());
        const QString path = drive.folder.filePath(name);
        AlignPanel panel(playlist,
                         [&](QWidget*, const QString&, const QString&, const QString&) { return path; });
        playlist.open({drive.path(0).toStdString(), drive.path(1).toStdString(), drive.path(2).toStdString()},
                      Playlist::Kind::sequence, {});
        QVERIFY(QTest::qWaitFor([&] { return panel.model().rowCount() == 3; }, 20'000));
        panel.align();
        QVERIFY(QTest::qWaitFor([&] { return panel.runner().outcome() != nullptr; }, 20'000));
        const QSignalSpy saved(&panel, &AlignPanel::saved), failed(&panel, &AlignPanel::failed);
        panel.savePoses();
        if (name.contains('/')) {
            QCOMPARE(failed.count(), 1);
            QCOMPARE(saved.count(), 0);
            return;
        }
        QCOMPARE(saved.count(), 1);
        const Trajectory read = readTrajectory(path.toStdString());
        QCOMPARE(read.poses.size(), std::size_t(3));
        QVERIFY(norm(read.poses[2].translation - drive.truth[2].translation) < 0.05);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowAlign)
#include "test_window_align.moc"
