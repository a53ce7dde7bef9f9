#pragma once
// Passes the newest request to one worker thread, with cancellation and coarse previews while requests arrive
// faster than they can be run.
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
/// A request that is expected to take longer than the budget runs as a preview first. Previews are never
/// cancelled, so that results keep coming however fast requests arrive. Once no request waits, the last one
/// runs whole; the next request cancels that run. The duration of the last whole run is the estimate for the
/// next one. A run that turns out to exceed the budget is cancelled by the next request, too, which then
/// begins with a preview.
///
/// Once its result is out, the worker may continue with refinements, which a new request cancels. Brief
/// refinements may finish as long as they take no more than a tenth of the time, so that they keep coming
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

    /// From any thread. `whole`: without a preview, whatever its duration.
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
    /// For the worker: waits for a request; nullopt once closed.
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
    /// For the worker: reports the duration of a whole run that was not cancelled and reused no results.
    void wholeTook(std::chrono::milliseconds time) {
        const std::lock_guard lock(m_mutex);
        m_wholeTook = time;
    }
    /// For the worker: the preview that has just run gave all that a whole run would.
    void previewWasWhole() {
        const std::lock_guard lock(m_mutex);
        m_unrefined.reset(); // a request that waits has done so, too
    }
    /// For the worker, once the result of the run is out: whether a refinement may begin now, with the stop
    /// token of the work. If it is not brief, this waits a moment first, for the next request.
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
    /// Cancels the running request and drops the waiting one; the worker waits for the next request.
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
    /// Blocks until no request runs or waits. @note Not from the worker.
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
    std::optional<Request> m_unrefined; ///< the request of the last preview, not run whole yet
    std::stop_source m_stop;
    Clock::time_point m_started; ///< start of the running request
    std::chrono::milliseconds m_wholeTook{0};
    bool m_running = false, m_runningPreview = false, m_closed = false;
    bool m_waitingWhole = false;
    bool m_refining = false, m_refinementMayEnd = false; ///< one runs; requests don't cancel it
    Clock::time_point m_refinementStarted, m_refinementEnded;
    Clock::duration m_refinementTook{0};
};

} // namespace scanloupe
