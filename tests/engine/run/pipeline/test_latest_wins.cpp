#include "engine/run/pipeline/latest_wins.h"
#include "tests/support/test_support.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

using namespace scanloupe;
using namespace std::chrono_literals;

namespace {

/// Durations of the optional work after a result; 0: no such work.
struct Extras {
    std::chrono::milliseconds brief{0}, full{0};
};

/// A worker whose complete runs take `whole` and whose previews take `preview`, in small steps that poll the
/// stop token.
struct Worker {
    struct Result {
        int request;
        bool preview;
        std::chrono::steady_clock::time_point at;
    };
    Worker(LatestWins<int>& box, std::chrono::milliseconds whole, std::chrono::milliseconds preview,
           Extras extras = {})
        : thread([this, &box, whole, preview, extras] {
              const auto works = [](std::chrono::milliseconds time, const std::stop_token& stop) {
                  const auto start = std::chrono::steady_clock::now();
                  while (std::chrono::steady_clock::now() - start < time && !stop.stop_requested())
                      std::this_thread::sleep_for(1ms);
                  return !stop.stop_requested();
              };
              while (auto work = box.next()) {
                  if (!works(work->preview ? preview : whole, work->stop)) {
                      ++cancelled;
                      continue;
                  }
                  if (!work->preview)
                      box.wholeTook(whole);
                  results.push_back({work->request, work->preview, std::chrono::steady_clock::now()});
                  if (extras.brief > 0ms && box.startRefinement(true) && works(extras.brief, work->stop)) {
                      box.endBriefRefinement();
                      briefs.push_back(work->request);
                  }
                  if (extras.full > 0ms && box.startRefinement(false)) {
                      ++begun;
                      if (works(extras.full, work->stop))
                          fulls.push_back(work->request);
                  }
              }
          }) {}
    std::vector<Result> results;    // read only after joining the thread
    std::vector<int> briefs, fulls; // requests whose optional work was completed; read only after joining the
                                    // thread
    std::atomic<int> begun{0};      // number of full extras that were started
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
        QVERIFY(worker.results.size() < 40); // newer requests replaced some of them
    }
    void whatIsCancelledDuringItsPreviewDoesNotRunWhole() {
        LatestWins<int> box(10ms);
        box.wholeTook(1s);
        box.submit(1);
        const auto work = box.next();
        QVERIFY(work && work->preview);
        box.cancel();
        QVERIFY(work->stop.stop_requested());
        const std::jthread closes([&] {
            std::this_thread::sleep_for(100ms);
            box.close();
        });
        QVERIFY(!box.next()); // next() waits until the box is closed
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
        QVERIFY(!worker.results.back().preview); // the last result is a complete run
    }
    void aNewRequestCancelsASlowWholeRun() {
        LatestWins<int> box(10ms);
        Worker worker(box, 200ms, 5ms);
        box.submit(0);
        box.waitUntilIdle();
        box.submit(1); // after the preview, the complete run starts
        std::this_thread::sleep_for(60ms);
        box.submit(2);
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QVERIFY(worker.cancelled >= 1);
        QCOMPARE(worker.results.back().request, 2);
    }
    void aSlowFirstRunGivesWayToPreviews() {
        LatestWins<int> box(50ms); // the box does not know yet how long a run takes
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
    void briefExtrasKeepComingAndTakeATenth() {
        LatestWins<int> box(100ms);
        Worker worker(box, 10ms, 1ms, {20ms, 0ms});
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 100; ++i) {
            box.submit(i);
            std::this_thread::sleep_for(10ms);
        }
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        const auto count = double(worker.briefs.size());
        QVERIFY2(count / seconds >= 2, qPrintable(QString::number(count))); // at least two updates per second
        QVERIFY2(count * 0.02 <= 0.15 * seconds + 0.02, qPrintable(QString::number(count)));
        QVERIFY(double(worker.results.size()) / seconds > 30);
        QCOMPARE(worker.briefs.back(), 99); // the last request has its own brief extra
    }
    void longExtrasGiveWayToRequests() {
        LatestWins<int> box(100ms);
        Worker worker(box, 5ms, 1ms, {5ms, 5000ms});
        box.submit(0);
        QTRY_COMPARE(worker.begun.load(), 1);
        const auto asked = std::chrono::steady_clock::now();
        for (int i = 1; i <= 20; ++i) {
            box.submit(i);
            std::this_thread::sleep_for(10ms);
        }
        QCOMPARE(worker.begun.load(), 1); // no full extra starts while requests arrive
        QTRY_COMPARE(worker.begun.load(), 2);
        box.cancel();
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QVERIFY(worker.fulls.empty());
        QCOMPARE(worker.results.back().request, 20);
        const auto second = std::find_if(worker.results.begin(), worker.results.end(),
                                         [&](const auto& r) { return r.at > asked; });
        QVERIFY(second != worker.results.end() && second->at - asked < 100ms);
        QVERIFY(std::none_of(worker.results.begin(), worker.results.end(),
                             // no previews: time spent on extras is not counted as time of the run
                             [](const auto& r) { return r.preview; }));
    }
    void extrasOfAPreviewWaitForTheWholeRun() {
        LatestWins<int> box(10ms);
        Worker worker(box, 60ms, 5ms, {0ms, 20ms});
        box.submit(0);
        QTRY_COMPARE(worker.begun.load(), 1);
        box.waitUntilIdle();
        box.submit(1); // results in a preview, immediately followed by the complete run
        box.waitUntilIdle();
        box.close();
        worker.thread.join();
        QCOMPARE(worker.results.size(), std::size_t(3));
        QCOMPARE(worker.begun.load(), 2);
        QCOMPARE(worker.fulls, (std::vector<int>{0, 1}));
    }
    void previewsThatWereWholeRunOnce() {
        using std::chrono::milliseconds;
        LatestWins<int> box(milliseconds(50));
        box.wholeTook(milliseconds(500));
        box.submit(1);
        auto work = box.next();
        QVERIFY(work && work->preview);
        box.previewWasWhole();
        std::thread later([&] {
            std::this_thread::sleep_for(milliseconds(100));
            box.submit(2);
        });
        work = box.next(); // waits for request 2, because request 1 is complete
        later.join();
        QVERIFY(work && work->preview);
        QCOMPARE(work->request, 2);
        work = box.next(); // request 2 still needs its complete run
        QVERIFY(work && !work->preview);
        QCOMPARE(work->request, 2);
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

SCANLOUPE_TEST(TestLatestWins)
#include "test_latest_wins.moc"
