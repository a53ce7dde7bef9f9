#include "engine/pipeline/latest_wins.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace std::chrono_literals;

namespace {

/// A worker whose whole runs take `whole` and whose previews take `preview`, in steps that look at the token.
struct Worker {
    struct Result {
        int request;
        bool preview;
        std::chrono::steady_clock::time_point at;
    };
    Worker(LatestWins<int>& box, std::chrono::milliseconds whole, std::chrono::milliseconds preview)
        : thread([this, &box, whole, preview] {
              while (auto work = box.next()) {
                  const auto time = work->preview ? preview : whole;
                  const auto start = std::chrono::steady_clock::now();
                  while (std::chrono::steady_clock::now() - start < time && !work->stop.stop_requested())
                      std::this_thread::sleep_for(1ms);
                  if (work->stop.stop_requested()) {
                      ++cancelled;
                      continue;
                  }
                  if (!work->preview)
                      box.wholeTook(whole);
                  results.push_back({work->request, work->preview, std::chrono::steady_clock::now()});
              }
          }) {}
    std::vector<Result> results; // read after join
    std::atomic<int> cancelled{0};
    std::jthread thread;
};

} // namespace

class TestLatestWins : public QObject {
    Q_OBJECT
private slots:
    void quickRunsAreNeverCancelled() {
        LatestWins<int> box(100ms);
        Worker worker(box, 5ms, 1ms);
        for (int i = 0; i < 40; ++i) {
            box.submit(i);
            std::this_thread::sleep_for(2ms);
        }
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QCOMPARE(worker.cancelled.load(), 0);
        QCOMPARE(worker.results.back().request, 39);
        QVERIFY(worker.results.size() < 40); // some were replaced
    }
    void slowRunsShowPreviewsWhileRequestsCome() {
        LatestWins<int> box(100ms);
        Worker worker(box, 300ms, 30ms);
        box.submit(-1);
        box.waitUntilIdle();
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 100; ++i) {
            box.submit(i);
            std::this_thread::sleep_for(10ms);
        }
        const auto end = std::chrono::steady_clock::now();
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        const auto during = std::count_if(worker.results.begin(), worker.results.end(),
                                          [&](const auto& r) { return r.at > start && r.at < end; });
        const double seconds = std::chrono::duration<double>(end - start).count();
        QVERIFY2(double(during) / seconds >= 5, qPrintable(QString("%1 results").arg(during)));
        QCOMPARE(worker.results.back().request, 99);
        QVERIFY(!worker.results.back().preview); // the last one is whole
    }
    void aNewRequestCancelsASlowWholeRun() {
        LatestWins<int> box(10ms);
        Worker worker(box, 200ms, 5ms);
        box.submit(0);
        box.waitUntilIdle();
        box.submit(1); // preview, then the whole run begins
        std::this_thread::sleep_for(60ms);
        box.submit(2);
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QVERIFY(worker.cancelled >= 1);
        QCOMPARE(worker.results.back().request, 2);
    }
    void aSlowFirstRunGivesWayToPreviews() {
        LatestWins<int> box(50ms); // nothing has told yet how long a run takes
        Worker worker(box, 2000ms, 5ms);
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 40; ++i) {
            box.submit(i);
            std::this_thread::sleep_for(10ms);
        }
        const auto end = std::chrono::steady_clock::now();
        box.close();
        worker.thread.join();
        const auto during = std::count_if(worker.results.begin(), worker.results.end(), [&](const auto& r) {
            return r.preview && r.at > start && r.at < end;
        });
        QVERIFY2(during >= 10, qPrintable(QString::number(during)));
    }
    void aWholeRunCanBeAskedFor() {
        LatestWins<int> box(10ms);
        Worker worker(box, 60ms, 5ms);
        box.submit(0);
        box.waitUntilIdle();
        box.submit(1, true);
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QCOMPARE(worker.results.size(), std::size_t(2));
        QVERIFY(!worker.results.back().preview);
    }
    void cancelDropsWhatWaits() {
        LatestWins<int> box(10ms);
        Worker worker(box, 500ms, 500ms);
        box.submit(0);
        std::this_thread::sleep_for(20ms);
        box.submit(1);
        box.cancel();
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QVERIFY(worker.results.empty());
    }
    void closeEndsAWaitingWorker() {
        LatestWins<int> box(10ms);
        Worker worker(box, 1ms, 1ms);
        box.close();
        worker.thread.join();
        QVERIFY(worker.results.empty());
    }
};

QTEST_APPLESS_MAIN(TestLatestWins)
#include "test_latest_wins.moc"
