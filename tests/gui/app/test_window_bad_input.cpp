// Errors appear in the window's message bar, the loaded scan stays, and the window continues.
#include "engine/cloud/point_cloud.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "gui/panels/job_status.h"
#include "gui/panels/parameters/parameter_rows.h"
#include "gui/panels/parameters/range_row.h"
#include "gui/sliders/number_box.h"
#include "gui/sliders/value_control.h"
#include "tests/gui/app/window_fixture.h"
#include "tests/support/bad_scans.h"

#include <QElapsedTimer>
#include <QFile>
#include <QSlider>
#include <QToolButton>

using namespace scanloupe;
using namespace scanloupe::gui;
using namespace scanloupe::test;

class TestWindowBadInput : public QObject {
    Q_OBJECT
    ScratchSettings m_settings;
    std::unique_ptr<WindowFixture> m_fixture;

    QString write(const QString& name, const std::string& content) {
        const QString path = m_settings.path(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(content.data(), qint64(content.size())) < 0)
            qFatal("no scratch file");
        return path;
    }
    /// Explains why the window is not in its state with the sample, or does not follow its sliders; empty if
    /// it does.
    QString notAlive(const std::shared_ptr<const PointCloud>& cloud) {
        WindowFixture& f = *m_fixture;
        if (!f.waitForViews())
            return "the views don't come to rest";
        if (f.snapshot()->cloud != cloud)
            return "the scan is lost";
        const auto before = f.snapshot();
        QSlider* slider = f.row<NumberRow>("eye_dome_strength")->control()->slider();
        slider->setValue(slider->value() < 500 ? 900 : 100);
        if (!f.waitForViews() || f.snapshot() == before)
            return "the sliders are not followed";
        return {};
    }
    /// Reopens the plain scan if another one has replaced it.
    bool plainIsOpen() {
        WindowFixture& f = *m_fixture;
        const auto shown = [&] { return f.window.windowTitle().startsWith("plain.xyz"); };
        if (!shown())
            f.open(m_settings.path("plain.xyz").toStdString());
        return QTest::qWaitFor(shown, 20'000) && f.waitForViews();
    }

private slots:
    void initTestCase() {
        m_fixture = std::make_unique<WindowFixture>();
        QVERIFY(m_fixture->isShown());
        m_fixture->open(write("plain.xyz", textPoints(20'000)).toStdString());
        QVERIFY(m_fixture->waitForViews());
    }
    void cleanupTestCase() { m_fixture.reset(); }

    void unreadableScansAreReported_data() {
        QTest::addColumn<int>("index");
        for (int i = 0; i < int(unreadableScans().size()); ++i)
            QTest::newRow(unreadableScans()[std::size_t(i)].what) << i;
    }
    void unreadableScansAreReported() {
        QFETCH(int, index);
        const BadScan bad = unreadableScans()[std::size_t(index)];
        const QString name = QString::fromStdString(bad.name);
        const QString path = bad.content ? write(name, *bad.content) : m_settings.path(name);
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        const QString title = f.window.windowTitle();
        // a readable file may have no points to run
        const QSignalSpy unread(&f.window.jobs().loader(), &ScanLoader::failed),
            notRun(&f.window.jobs().runner(), &PipelineRunner::firstRunFailed);
        f.drop(path);
        QVERIFY(QTest::qWaitFor([&] { return unread.count() + notRun.count() > 0; }, 20'000));
        const QSignalSpy& failures = unread.isEmpty() ? notRun : unread;
        QVERIFY(f.window.messages().isVisible() && f.window.messages().isError());
        const QString text = f.window.messages().text();
        QVERIFY2(text.contains(QString::fromStdString(bad.mention)), qPrintable(text));
        QVERIFY2(!failures[0][1].toString().isEmpty(), qPrintable(text));
        if (index == 0)
            keepPicture(f.window, "error");
        QCOMPARE(notAlive(cloud), QString());
        QCOMPARE(f.window.windowTitle(), title);
    }
    void foldersWithoutScansAreReported() {
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        const QTemporaryDir folder; // an empty folder
        f.drop(folder.path());
        const auto told = [&] { return f.window.messages().text().contains(folder.path()); };
        QVERIFY(QTest::qWaitFor(told, 20'000));
        QVERIFY(f.window.messages().isVisible() && f.window.messages().isError());
        QCOMPARE(notAlive(cloud), QString());
    }
    void oddScansOpenWithAWarning_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("truncated") << "cut.ply" << QByteArray::fromStdString(plyOf("2000", 1500) + "12345");
        QTest::newRow("a header that lies")
            << "lie.ply" << QByteArray::fromStdString(plyOf("900000000000000", 1500));
        QTest::newRow("far and not finite")
            << "odd.xyz"
            << QByteArray::fromStdString(textPoints(3000) + "nan 0 0\n1e30 -1e30 1e30\n0 inf 0\n");
    }
    void oddScansOpenWithAWarning() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        WindowFixture f;
        f.drop(write(name, content.toStdString()));
        QVERIFY2(f.waitForViews(), qPrintable(f.window.messages().text()));
        QVERIFY(!f.snapshot()->cloud->warnings.empty() || !f.snapshot()->notes.empty());
    }
    void valuesThatCantBeRunAreReported() {
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        QSignalSpy failures(&f.window.jobs().runner(), &PipelineRunner::runFailed);
        // a voxel size that puts all points into one voxel
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(100'000);
        QVERIFY(failures.count() > 0 || failures.wait(20'000));
        QVERIFY2(f.window.messages().text().contains("voxel"), qPrintable(f.window.messages().text()));
        QVERIFY(f.snapshot()->cloud == cloud);
        // a voxel size whose voxels exceed the memory
        failures.clear();
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(1e-9);
        QVERIFY(failures.count() > 0 || failures.wait(20'000));
        QVERIFY2(f.window.messages().text().contains("voxel size"), qPrintable(f.window.messages().text()));
        QTest::mouseClick(f.row<VoxelSizeRow>("voxel_size")->resetButton(), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QVERIFY(!f.window.messages().isVisible()); // the message is outdated and was removed
        // a range without any point
        failures.clear();
        f.row<RangeRow>("range")->lower(2)->setValue(500);
        QVERIFY(failures.count() > 0 || failures.wait(20'000));
        QVERIFY2(f.window.messages().text().contains("range"), qPrintable(f.window.messages().text()));
        QTest::mouseClick(f.row<RangeRow>("range")->resetButton(), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QVERIFY(!f.window.messages().isVisible());
        QCOMPARE(notAlive(cloud), QString());
    }
    void emptyRangeIsReportedAndReverted() {
        WindowFixture& f = *m_fixture;
        f.window.activateWindow();
        const Recipe before = f.window.jobs().runner().recipe();
        const auto refused = [&](NumberBox* box, const char* typed, Qt::Key key) {
            const double old = box->value();
            box->setFocus();
            const bool hasFocus = QTest::qWaitFor([&] { return box->hasFocus(); });
            box->selectAll();
            QTest::keyClicks(box, typed);
            QTest::keyClick(box, key);
            QTest::qWait(50);
            const MessageBar& messages = f.window.messages();
            const bool told = messages.isVisible() && messages.text().contains("range would be empty");
            f.window.messages().dismiss();
            return hasFocus && told && box->value() == old && box->text().toDouble() != box->maximum() &&
                   box->text().toDouble() != box->minimum();
        };
        auto* range = f.row<RangeRow>("range");
        for (const Qt::Key key : {Qt::Key_Return, Qt::Key_Tab}) {
            QVERIFY(refused(range->lower(0), "1e15", key));
            QVERIFY(refused(range->lower(0), "1000000000000000", key));
            QVERIFY(refused(range->upper(0), "-1e15", key));
        }
        QVERIFY(f.window.jobs().runner().recipe().rangeMin == before.rangeMin);
        QVERIFY(f.window.jobs().runner().recipe().rangeMax == before.rangeMax);
    }
    void failedPreviewsReportNothing() {
        WindowFixture f;
        f.openSample(); // a million points: slow enough for previews
        QVERIFY(f.waitForViews());
        const auto cloud = f.snapshot()->cloud;
        for (int i = 0; i < 3; ++i) { // lets the session measure the duration of a run
            f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(0.06 + 0.01 * i);
            QVERIFY(f.waitForViews());
        }
        QSignalSpy failures(&f.window.jobs().runner(), &PipelineRunner::runFailed);
        f.row<RangeRow>("range")->lower(2)->setValue(500);
        QVERIFY(failures.wait(20'000));
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy(); }, 10'000));
        // one after the complete run, one after the message has made the views smaller
        QVERIFY(failures.count() <= 2);
        QVERIFY(f.snapshot()->cloud == cloud);
        QTest::mouseClick(f.row<RangeRow>("range")->resetButton(), Qt::LeftButton);
        QVERIFY(f.waitForViews());
        QVERIFY(!f.window.messages().isVisible());
    }
    void anOpeningThatIsCancelledAtItsEndLeavesTheOldScan() {
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        const QString other = write("other.xyz", textPoints(3000));
        for (int wait = 0; wait < 60; wait += 4) {
            f.drop(other);
            QTest::qSleep(wait); // the result of opening waits in the event queue
            f.window.jobs().cancel();
            QTest::qWait(30);
            if (f.snapshot()->cloud != cloud)
                break; // the scan was opened before the cancellation
            QCOMPARE(notAlive(cloud), QString());
        }
        QVERIFY(plainIsOpen());
    }
    void aSecondFileWhileTheFirstLoads() {
        WindowFixture f;
        f.openSample(); // a million points
        const QString second = write("second.xyz", textPoints(5000));
        f.drop(second);
        QVERIFY(f.waitForViews());
        QVERIFY(f.window.windowTitle().startsWith("second.xyz"));
        QTest::qWait(300); // no late result of the first file arrives
        QVERIFY(f.window.windowTitle().startsWith("second.xyz"));
        QCOMPARE(f.snapshot()->points->size(), std::size_t(5000));
    }
    void cancelKeepsWhatIsThere() {
        WindowFixture f;
        f.openSample();
        QVERIFY(f.waitForWhole());
        const auto before = f.snapshot();
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(0.03);
        auto* status = f.window.findChild<JobStatus*>();
        QVERIFY(QTest::qWaitFor([&] { return status->isShown(); }, 5000));
        QElapsedTimer clock;
        clock.start();
        QTest::mouseClick(status->cancelButton(), Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy(); }, 5000));
        QVERIFY2(clock.elapsed() <= 150, qPrintable(QString::number(clock.elapsed())));
        QTest::qWait(500);
        QVERIFY(f.snapshot()->cloud == before->cloud);
        QVERIFY(!f.window.messages().isVisible()); // cancelling is no error
        f.row<VoxelSizeRow>("voxel_size")->control(0)->box()->setValue(0.4);
        QVERIFY(f.waitForViews());
    }
    void aFileThatCantBeRunChangesNothing() {
        // readable, but all points coincide
        std::string same;
        for (int i = 0; i < 100; ++i)
            same += "1 2 3\n";
        WindowFixture& f = *m_fixture;
        const auto before = f.snapshot();
        QSignalSpy failures(&f.window.jobs().runner(), &PipelineRunner::firstRunFailed),
            opened(&f.window.jobs().runner(), &PipelineRunner::opened);
        f.drop(write("same.xyz", same));
        QVERIFY(failures.wait(20'000));
        QCOMPARE(opened.count(), 0);
        QVERIFY(QTest::qWaitFor([&] { return !f.window.isBusy(); }, 5000));
        QVERIFY(f.snapshot()->mesh == before->mesh); // the message only made the views smaller
        QCOMPARE(notAlive(before->cloud), QString());
    }
    void cancelOfAnOpeningScanEndsIt() {
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        for (const int wait : {0, 20, 100, 250, 400}) {
            f.openSample();
            QTest::qWait(wait);
            f.window.jobs().cancel();
            QTest::qWait(300);
            if (f.snapshot()->cloud != cloud) // a fast machine has opened the scan before the cancellation
                break;
            QCOMPARE(notAlive(cloud), QString());
        }
        QVERIFY(plainIsOpen());
    }
    void changesDuringAFailedOpeningAreRun() {
        WindowFixture& f = *m_fixture;
        const auto cloud = f.snapshot()->cloud;
        QSignalSpy failures(&f.window.jobs().loader(), &ScanLoader::failed);
        f.drop(m_settings.path("missing.ply"));
        // changes a parameter while the scan is being read
        f.row<NumberRow>("eye_dome_strength")->control()->box()->setValue(2.5);
        QVERIFY(failures.count() > 0 || failures.wait(20'000));
        QVERIFY(f.waitForViews());
        QCOMPARE(f.snapshot()->recipe->eyeDomeStrength, 2.5);
        QCOMPARE(notAlive(cloud), QString());
    }
    void closingInMidRunEnds() {
        for (const int wait : {0, 30, 150, 400, 700}) {
            WindowFixture f;
            f.openSample();
            QTest::qWait(wait);
            f.window.close();
        }
    }
};

SCANLOUPE_TEST_IN(QApplication, TestWindowBadInput)
#include "test_window_bad_input.moc"
