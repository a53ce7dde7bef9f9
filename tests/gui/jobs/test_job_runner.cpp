// A runner of one job at a time: replaced, cancelled and failed jobs, and the end of the runner.
#include "engine/cloud/error.h"
#include "gui/jobs/job_runner.h"
#include "tests/support/test_support.h"

#include <QApplication>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace scanloupe::gui;

namespace {

class NumberRunner : public JobRunner {
public:
    NumberRunner() : JobRunner(nullptr) {}
    using JobRunner::Action;
    using JobRunner::Post;
    using JobRunner::run;
    using JobRunner::stop;

    /// Reports a number, waits for a stop if `isEndless`, and delivers the number again.
    void report(int number, bool isEndless) {
        run(
            [this, number, isEndless](const Post& post, const std::stop_token& stop) -> Action {
                post([this, number] { reported.push_back(number); });
                while (isEndless && !stop.stop_requested())
                    std::this_thread::yield();
                return [this, number] { delivered.push_back(number); };
            },
            {});
    }
    std::vector<int> reported, delivered;
};

} // namespace

class TestJobRunner : public QObject {
    Q_OBJECT
private slots:
    void resultsAreDeliveredOnTheGuiThread() {
        NumberRunner runner;
        QThread *worker = nullptr, *reporter = nullptr;
        bool wasBusy = true;
        runner.run(
            [&](const NumberRunner::Post&, const std::stop_token&) -> NumberRunner::Action {
                worker = QThread::currentThread();
                return [&] {
                    reporter = QThread::currentThread();
                    wasBusy = runner.isBusy();
                };
            },
            {});
        QVERIFY(runner.isBusy());
        QTRY_VERIFY(reporter);
        QCOMPARE(reporter, thread());
        QVERIFY(worker != thread() && !wasBusy);
    }

    void aNewJobReplacesTheRunningOne() {
        NumberRunner runner;
        const QSignalSpy busy(&runner, &JobRunner::busyChanged);
        runner.report(1, true);
        runner.report(2, false);
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(runner.delivered, std::vector{2});
        QCOMPARE(runner.reported, std::vector{2});
        QCOMPARE(busy.size(), 2); // busy once, idle once
    }

    void aCancelledJobReportsNothing() {
        NumberRunner runner;
        runner.report(1, true);
        QTRY_COMPARE(runner.reported, std::vector{1});
        runner.cancel();
        QVERIFY(!runner.isBusy());
        runner.report(2, false);
        QTRY_COMPARE(runner.delivered, std::vector{2});
    }

    void aStoppedJobIsBusyUntilItEnds() {
        NumberRunner runner;
        runner.report(1, true);
        runner.stop();
        QVERIFY(runner.isBusy());
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(runner.delivered, std::vector{1});
    }

    void failuresAreReportedExceptCancellations() {
        NumberRunner runner;
        QSignalSpy failed(&runner, &JobRunner::failed);
        runner.run([](const auto&, const auto&) -> NumberRunner::Action { throw EngineError("a", "b"); }, {});
        QTRY_COMPARE(failed.size(), 1);
        QVERIFY(!runner.isBusy());
        runner.run([](const auto&, const auto&) -> NumberRunner::Action { throw Cancelled(); }, {});
        QTRY_VERIFY(!runner.isBusy());
        QCOMPARE(failed.size(), 1);
    }

    void nothingIsDeliveredAfterTheRunner() {
        std::atomic<bool> isRunning = false, hasEnded = false;
        bool isDelivered = false;
        auto runner = std::make_unique<NumberRunner>();
        runner->run(
            [&](const NumberRunner::Post& post, const std::stop_token& stop) -> NumberRunner::Action {
                isRunning = true;
                while (!stop.stop_requested())
                    std::this_thread::yield();
                post([&] { isDelivered = true; });
                hasEnded = true;
                return [&] { isDelivered = true; };
            },
            {});
        QTRY_VERIFY(isRunning);
        runner.reset();
        QVERIFY(hasEnded);
        QCoreApplication::processEvents();
        QVERIFY(!isDelivered);
    }
};

SCANLOUPE_TEST_IN(QApplication, TestJobRunner)
#include "test_job_runner.moc"
