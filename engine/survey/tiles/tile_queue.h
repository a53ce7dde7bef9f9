#pragma once
// Declares the queue of tiles between the thread that reads points and the threads that compute tiles.
#include "kernels/core/error.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <stop_token>

namespace scanloupe {

/// Tiles that are ready to be computed. Waiting functions notice a stop request within about 20 ms.
class TileQueue {
public:
    /// Adds a tile. @param points number of points of the tile in memory
    void push(std::size_t tile, std::uint64_t points) {
        const std::lock_guard lock(m_mutex);
        m_ready.push_back({tile, points});
        m_readyPoints += points;
        m_changed.notify_all();
    }
    /// Declares that no more tiles will be pushed.
    void close() {
        const std::lock_guard lock(m_mutex);
        m_isClosed = true;
        m_changed.notify_all();
    }
    /// Marks the job as failed and wakes all waiting threads.
    void fail() {
        const std::lock_guard lock(m_mutex);
        m_hasFailed = true;
        m_changed.notify_all();
    }
    bool hasFailed() {
        const std::lock_guard lock(m_mutex);
        return m_hasFailed;
    }
    /// Waits for the next tile. The tile counts as in work until done() is called. Returns nullopt if all
    /// tiles are done, or the job has failed.
    /// @throws Cancelled
    std::optional<std::size_t> pop(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        while (m_ready.empty() && !m_isClosed && !m_hasFailed)
            wait(lock, stop);
        if (stop.stop_requested())
            throw Cancelled();
        if (m_hasFailed || m_ready.empty())
            return std::nullopt;
        const Ready next = m_ready.front();
        m_ready.pop_front();
        m_readyPoints -= next.points;
        ++m_atWork;
        m_changed.notify_all();
        return next.tile;
    }
    void done() {
        const std::lock_guard lock(m_mutex);
        --m_atWork;
        m_changed.notify_all();
    }
    /// Waits until the tiles in the queue have at most `points` points in total, or the job has failed.
    /// @throws Cancelled
    void waitForRoom(std::uint64_t points, const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        while (m_readyPoints > points && !m_hasFailed)
            wait(lock, stop);
    }
    /// Waits until a tile is done. Returns false immediately if no tile is in the queue or in work. @throws
    /// Cancelled
    bool waitForOne(const std::stop_token& stop) {
        std::unique_lock lock(m_mutex);
        if (m_hasFailed || (m_ready.empty() && m_atWork == 0))
            return false;
        wait(lock, stop);
        return true;
    }

private:
    struct Ready {
        std::size_t tile = 0;
        std::uint64_t points = 0;
    };
    void wait(std::unique_lock<std::mutex>& lock, const std::stop_token& stop) {
        if (stop.stop_requested())
            throw Cancelled();
        m_changed.wait_for(lock, std::chrono::milliseconds(20));
    }

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<Ready> m_ready;
    std::uint64_t m_readyPoints = 0;
    std::size_t m_atWork = 0;
    bool m_isClosed = false, m_hasFailed = false;
};

} // namespace scanloupe
