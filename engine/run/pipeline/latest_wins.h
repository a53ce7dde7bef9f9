#pragma once
// Declares a mailbox that passes the newest request to a worker thread. If requests arrive faster than they
// can be run, running ones are cancelled and coarse previews are shown.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace scanloupe {

/// A mailbox of size one for a worker thread: a new request replaces the pending one.
///
/// A request that is expected to take longer than the budget is run as a preview first. Previews are never
/// cancelled, so that results appear regularly however fast requests arrive. When no request is pending, the
/// last one is run completely; a new request cancels this run. The duration of the last complete run is the
/// estimate for the next one. A complete run that unexpectedly exceeds the budget is also cancelled by the
/// next request, which then starts with a preview.
///
/// After the result is available, the worker may continue with refinements, which a new request cancels.
/// Brief refinements may finish as long as they take at most a tenth of the time, so that they happen even
/// while requests arrive.
template <class Request>
class LatestWins {
public:
    struct Work {
        Request request;
        bool preview = false;
        std::stop_token stop;
    };

    explicit LatestWins(std::chrono::milliseconds budget) : m_budget(budget) {}

    /// Submits a request from any thread. @param whole run it without a preview, whatever the expected
    /// duration
    void submit(Request request, bool whole = false) {
        const std::lock_guard lock(m_mutex);
        m_waiting = std::move(request);
        m_waitingWhole = whole;
        m_unrefined.reset();
        if (m_running && m_refining) {
            if (!m_refinementMayEnd)
                m_stop.request_stop();
        } else if (m_running && !m_runningPreview) {
            const auto ran = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_started);
            m_wholeTook = std::max(m_wholeTook, ran);
            if (m_wholeTook > m_budget)
                m_stop.request_stop();
        }
        m_changed.notify_all();
    }
    /// For the worker: waits for a request; returns nullopt after close().
    std::optional<Work> next() {
        std::unique_lock lock(m_mutex);
        m_running = m_refining = false;
        m_changed.notify_all();
        m_changed.wait(lock, [this] { return m_closed || m_waiting || m_unrefined; });
        if (m_closed)
            return std::nullopt;
        m_runningPreview = m_waiting && !m_waitingWhole && m_wholeTook > m_budget;
        Work work{std::move(m_waiting ? *m_waiting : *m_unrefined), m_runningPreview, {}};
        m_waiting.reset();
        m_unrefined.reset();
        if (m_runningPreview)
            m_unrefined = work.request;
        m_stop = std::stop_source();
        work.stop = m_stop.get_token();
        m_running = true;
        m_started = Clock::now();
        return work;
    }
    /// For the worker: reports the duration of a complete run that was not cancelled and reused no results.
    void wholeTook(std::chrono::milliseconds time) {
        const std::lock_guard lock(m_mutex);
        m_wholeTook = time;
    }
    /// For the worker: reports that the last preview gave the same result as a complete run.
    void previewWasWhole() {
        const std::lock_guard lock(m_mutex);
        m_unrefined.reset(); // this also applies to a pending request
    }
    /// For the worker, after the result is available: returns whether a refinement may start now, with the
    /// stop token of the work. If the refinement is not brief, waits a moment for the next request first.
    bool startRefinement(bool brief) {
        constexpr auto moment = std::chrono::milliseconds(100);
        std::unique_lock lock(m_mutex);
        m_refining = true;
        m_refinementStarted = Clock::now();
        m_refinementMayEnd = brief && m_refinementStarted - m_refinementEnded >= 9 * m_refinementTook;
        const auto unwanted = [this] { return m_closed || m_stop.stop_requested(); };
        const auto overtaken = [this, unwanted] { return m_waiting || m_unrefined || unwanted(); };
        if (m_refinementMayEnd)
            return !unwanted();
        return brief ? !overtaken() : !m_changed.wait_for(lock, moment, overtaken);
    }
    /// For the worker: reports the end of a brief refinement.
    void endBriefRefinement() {
        const std::lock_guard lock(m_mutex);
        m_refinementEnded = Clock::now();
        m_refinementTook = m_refinementEnded - m_refinementStarted;
    }
    /// Cancels the running request and drops the pending one; the worker then waits for the next request.
    void cancel() {
        const std::lock_guard lock(m_mutex);
        m_waiting.reset();
        m_unrefined.reset();
        if (m_running)
            m_stop.request_stop();
        m_changed.notify_all();
    }
    /// Cancels the running request; next() returns nullopt from now on.
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        if (m_running)
            m_stop.request_stop();
        m_changed.notify_all();
    }
    /// Blocks until no request is running or pending. @note Must not be called by the worker.
    void waitUntilIdle() {
        std::unique_lock lock(m_mutex);
        m_changed.wait(lock, [this] { return m_closed || (!m_running && !m_waiting && !m_unrefined); });
    }

private:
    using Clock = std::chrono::steady_clock;

    const std::chrono::milliseconds m_budget;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<Request> m_waiting;
    std::optional<Request> m_unrefined; ///< request of the last preview, which still has to be run completely
    std::stop_source m_stop;
    Clock::time_point m_started; ///< time at which the current run was started
    std::chrono::milliseconds m_wholeTook{0};
    bool m_running = false, m_runningPreview = false, m_closed = false;
    bool m_waitingWhole = false;
    bool m_refining = false, m_refinementMayEnd = false; ///< whether a refinement is running; whether new
                                                         ///< requests let it finish
    Clock::time_point m_refinementStarted, m_refinementEnded;
    Clock::duration m_refinementTook{0};
};

} // namespace scanloupe
