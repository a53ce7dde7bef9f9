#pragma once
// Hands the newest request to one worker while older ones come in faster than they can be run.
#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace scanloupe {

/// A mailbox for one worker thread. A new request replaces the one that waits. Requests that would take
/// longer than the budget run as a preview first, which is never cancelled, so that results keep coming
/// however fast requests arrive; once none waits, the last one runs whole, and that run is cancelled by the
/// next request. How long one would take is told by the last; a run that turns out to take longer than the
/// budget is cancelled by the next request, too, which then begins with a preview. Once its result is out,
/// the worker may go on with extras that nobody waits for: a new request cancels them, but brief ones are let
/// end as long as they take no more than a tenth of the time, so that they keep coming while requests do.
template <class Request>
class LatestWins {
public:
    struct Work {
        Request request;
        bool preview = false;
        std::stop_token stop;
    };

    explicit LatestWins(std::chrono::milliseconds budget) : m_budget(budget) {}

    /// From any thread. `whole`: without a preview, however long it takes.
    void submit(Request request, bool whole = false) {
        const std::lock_guard lock(m_mutex);
        m_waiting = std::move(request);
        m_waitingWhole = whole;
        m_unrefined.reset();
        if (m_running && m_extra) {
            if (!m_extraMayEnd)
                m_stop.request_stop();
        } else if (m_running && !m_runningPreview) {
            const auto ran = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - m_started);
            m_wholeTook = std::max(m_wholeTook, ran);
            if (m_wholeTook > m_budget)
                m_stop.request_stop();
        }
        m_changed.notify_all();
    }
    /// The worker's: waits for something to do; nothing once closed.
    std::optional<Work> next() {
        std::unique_lock lock(m_mutex);
        m_running = m_extra = false;
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
    /// The worker's: a whole run that was not cancelled, and had everything to do, took so long.
    void wholeTook(std::chrono::milliseconds time) {
        const std::lock_guard lock(m_mutex);
        m_wholeTook = time;
    }
    /// The worker's: the result of the run is out. Whether an extra may begin now, with the work's own token;
    /// one that is not brief waits a moment first, for the next request.
    bool beginExtra(bool brief) {
        constexpr auto moment = std::chrono::milliseconds(100);
        std::unique_lock lock(m_mutex);
        m_extra = true;
        m_extraStarted = Clock::now();
        m_extraMayEnd = brief && m_extraStarted - m_extraEnded >= 9 * m_extraTook;
        const auto unwanted = [this] { return m_closed || m_stop.stop_requested(); };
        const auto overtaken = [this, unwanted] { return m_waiting || m_unrefined || unwanted(); };
        if (m_extraMayEnd)
            return !unwanted();
        return brief ? !overtaken() : !m_changed.wait_for(lock, moment, overtaken);
    }
    /// The worker's: a brief extra has come to its end.
    void briefExtraEnded() {
        const std::lock_guard lock(m_mutex);
        m_extraEnded = Clock::now();
        m_extraTook = m_extraEnded - m_extraStarted;
    }
    /// Cancels what runs and drops what waits; the worker waits for the next request.
    void cancel() {
        const std::lock_guard lock(m_mutex);
        m_waiting.reset();
        m_unrefined.reset();
        if (m_running)
            m_stop.request_stop();
        m_changed.notify_all();
    }
    /// Cancels what runs; next() returns nothing from now on.
    void close() {
        const std::lock_guard lock(m_mutex);
        m_closed = true;
        if (m_running)
            m_stop.request_stop();
        m_changed.notify_all();
    }
    /// Waits until nothing runs or waits. @note Not from the worker.
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
    std::optional<Request> m_unrefined; ///< shown as a preview only
    std::stop_source m_stop;
    Clock::time_point m_started; ///< of what runs
    std::chrono::milliseconds m_wholeTook{0};
    bool m_running = false, m_runningPreview = false, m_closed = false;
    bool m_waitingWhole = false;
    bool m_extra = false, m_extraMayEnd = false; ///< what runs is one; requests don't cancel it
    Clock::time_point m_extraStarted, m_extraEnded;
    Clock::duration m_extraTook{0};
};

} // namespace scanloupe
