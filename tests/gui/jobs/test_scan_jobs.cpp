// Loader, runner and exporter without a window: what each tells, and in which order they are cancelled.
#include "gui/jobs/scan_jobs.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <new>
#include <thread>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

synth::ScanParams smallScan() {
    synth::ScanParams params;
    params.points = 20'000;
    return params;
}

/// Opens the sample, and waits until all of it is at rest.
bool openSample(ScanJobs& jobs) {
    jobs.loader().openSample(smallScan());
    return QTest::qWaitFor([&] { return jobs.runner().snapshot() && !jobs.isBusy(); }, 30'000);
}

/// An export that runs until it is stopped.
void endless(const Snapshot&, const ProgressFunction&, const std::stop_token& stop) {
    while (!stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    throw Cancelled();
}

} // namespace

class TestScanJobs : public QObject {
    Q_OBJECT
private slots:
    void anOpenedScanIsAnnouncedBeforeItsResults() {
        ScanJobs jobs(Backend::cpu);
        QStringList order;
        connect(&jobs, &ScanJobs::busyChanged, this, [&](bool busy) { order << (busy ? "busy" : "idle"); });
        connect(&jobs.runner(), &PipelineRunner::opened, this, [&] { order << "opened"; });
        connect(&jobs.loader(), &ScanLoader::openingEnded, this,
                [&](int, OpeningEnd end) { order << (end == OpeningEnd::shown ? "shown" : "not shown"); });
        connect(&jobs.runner(), &PipelineRunner::snapshotReady, this, [&] { order << "results"; });
        QVERIFY(openSample(jobs));
        QCOMPARE(order, (QStringList{"busy", "opened", "idle", "shown", "results"}));
    }
    void whatCantBeReadLeavesTheOldScan() {
        ScanJobs jobs(Backend::cpu);
        QVERIFY(openSample(jobs));
        const auto cloud = jobs.runner().snapshot()->cloud;
        const QSignalSpy failed(&jobs.loader(), &ScanLoader::failed),
            ended(&jobs.loader(), &ScanLoader::openingEnded);
        jobs.loader().open("/nowhere/scan.ply");
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<OpeningEnd>(), OpeningEnd::unreadable);
        QCOMPARE(failed.count(), 1);
        QVERIFY(!failed[0][0].toString().isEmpty() && !failed[0][1].toString().isEmpty());
        QVERIFY(jobs.runner().snapshot()->cloud == cloud);
        QVERIFY(!jobs.isBusy());
    }
    void whatCantBeRunLeavesTheOldScan() {
        ScanJobs jobs(Backend::cpu);
        QVERIFY(openSample(jobs));
        const auto cloud = jobs.runner().snapshot()->cloud;
        const QSignalSpy failed(&jobs.runner(), &PipelineRunner::firstRunFailed),
            ended(&jobs.loader(), &ScanLoader::openingEnded);
        const int number = jobs.loader().openMade(
            "Making one", "empty", [](const ProgressFunction&, const std::stop_token& stop) {
                auto same = Buffer<Vec3f>::host(100); // points at one place have no range
                std::ranges::fill(same.span(), Vec3f{1, 2, 3});
                return PointCloud(FloatPositions{std::move(same)}, {}, stop);
            });
        QTRY_COMPARE(ended.count(), 1);
        QCOMPARE(ended[0][0].toInt(), number);
        QCOMPARE(ended[0][1].value<OpeningEnd>(), OpeningEnd::notRun);
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(jobs.runner().snapshot()->cloud == cloud);
    }
    void aNewOpeningReplacesTheOldOne() {
        ScanJobs jobs(Backend::cpu);
        const QSignalSpy ended(&jobs.loader(), &ScanLoader::openingEnded);
        std::atomic<bool> stopped = false;
        const int first = jobs.loader().openMade(
            "Making one", "endless", [&](const ProgressFunction&, const std::stop_token& stop) -> PointCloud {
                while (!stop.stop_requested())
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                stopped = true;
                throw Cancelled();
            });
        QVERIFY(openSample(jobs));
        QTRY_VERIFY(stopped);
        QCOMPARE(ended.count(), 1); // a superseded one ends in silence
        QVERIFY(ended[0][0].toInt() > first);
    }
    void exportsAreOneAtATime() {
        ScanJobs jobs(Backend::cpu);
        QVERIFY(openSample(jobs));
        ExportRunner& exporter = jobs.exporter();
        const QSignalSpy exported(&exporter, &ExportRunner::exported),
            failed(&exporter, &ExportRunner::failed);
        std::atomic<int> writes = 0;
        exporter.start("a", jobs.runner().snapshot(), [&](auto&&...) { ++writes; });
        exporter.start("b", jobs.runner().snapshot(), [&](auto&&...) { ++writes; });
        QVERIFY(exporter.isBusy() && jobs.isBusy());
        QTRY_COMPARE(exported.count(), 1);
        QCOMPARE(writes.load(), 1);
        exporter.start("c", jobs.runner().snapshot(), [](auto&&...) { throw std::bad_alloc(); });
        QTRY_COMPARE(failed.count(), 1);
        QVERIFY(failed[0][0].toString().contains("memory"));
        QVERIFY(!failed[0][1].toString().isEmpty());
        QTRY_VERIFY(!jobs.isBusy());
        QCOMPARE(exported.count(), 1);
    }
    void cancelEndsTheOpeningBeforeTheExport() {
        ScanJobs jobs(Backend::cpu);
        QVERIFY(openSample(jobs));
        const QSignalSpy ended(&jobs.loader(), &ScanLoader::openingEnded),
            failed(&jobs.exporter(), &ExportRunner::failed);
        jobs.exporter().start("a", jobs.runner().snapshot(), endless);
        jobs.loader().openSample(smallScan());
        jobs.cancel();
        QCOMPARE(ended.count(), 1);
        QCOMPARE(ended[0][1].value<OpeningEnd>(), OpeningEnd::cancelled);
        QVERIFY(jobs.exporter().isBusy());
        QTRY_VERIFY(!jobs.runner().isBusy() && !jobs.loader().isBusy());
        jobs.cancel();
        QTRY_VERIFY(!jobs.isBusy());
        QCOMPARE(failed.count(), 0); // nobody did anything wrong
    }
};

QTEST_MAIN(TestScanJobs)
#include "test_scan_jobs.moc"
