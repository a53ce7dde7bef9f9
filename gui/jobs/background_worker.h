#pragma once
// Runs the background jobs of a panel or a view on a worker thread, one at a time.
#include "kernels/core/error.h"
#include "kernels/core/system/thread_priority.h"

#include <QFutureWatcher>
#include <QObject>
#include <QThreadPool>
#include <QtConcurrent>
#include <exception>
#include <functional>
#include <stop_token>
#include <utility>

namespace scanloupe::gui {

/// A new job replaces the waiting one, but does not cancel the running one, so that results keep arriving
/// however fast jobs arrive; cancelRunning() does. `Result` is a value type. Lives on the GUI thread, where
/// results are delivered.
template <class Result>
class BackgroundWorker {
public:
    using Job = std::function<Result(const std::stop_token&)>;

    BackgroundWorker(std::function<void(Result)> done, std::function<void(std::exception_ptr)> failed)
        : m_done(std::move(done)), m_failed(std::move(failed)) {
        m_pool.setMaxThreadCount(1);
        QObject::connect(&m_watcher, &QFutureWatcherBase::finished, [this] { finish(m_watcher.result()); });
    }
    /// Cancels the running job and waits for it; no result is delivered afterwards.
    ~BackgroundWorker() {
        m_stop.request_stop();
        m_watcher.waitForFinished();
    }
    BackgroundWorker(const BackgroundWorker&) = delete;
    BackgroundWorker& operator=(const BackgroundWorker&) = delete;

    void run(Job job) {
        m_waiting = std::move(job);
        if (!m_busy)
            start();
    }
    bool isBusy() const { return m_busy || m_waiting; }
    /// Stops the running job, which then fails with Cancelled; the waiting one follows.
    void cancelRunning() { std::exchange(m_stop, {}).request_stop(); }

private:
    struct Outcome {
        Result result{};
        std::exception_ptr error;
    };
    void start() {
        m_busy = true;
        const auto outcomeOf = [job = std::exchange(m_waiting, nullptr), stop = m_stop.get_token()] {
            Outcome outcome;
            lowerThreadPriority();
            try {
                outcome.result = job(stop);
            } catch (...) {
                outcome.error = std::current_exception();
            }
            return outcome;
        };
        m_watcher.setFuture(QtConcurrent::run(&m_pool, outcomeOf));
    }
    void finish(const Outcome& outcome) {
        m_busy = false;
        if (m_waiting)
            start();
        if (outcome.error)
            m_failed(outcome.error);
        else
            m_done(outcome.result);
    }

    std::function<void(Result)> m_done;
    std::function<void(std::exception_ptr)> m_failed;
    std::stop_source m_stop;
    QThreadPool m_pool;
    Job m_waiting;
    bool m_busy = false;
    QFutureWatcher<Outcome> m_watcher; ///< declared last, so destroyed first: no result arrives afterwards
};

} // namespace scanloupe::gui
