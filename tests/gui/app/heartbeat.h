#pragma once
// How late the event loop of a window comes, and how late any would come on this machine.
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <stop_token>
#include <thread>
#include <vector>

namespace scanloupe::test {

/// Measures how long the event loop was away.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kBeatMs);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
        m_clock.start();
        m_timer.start();
    }
    /// The most that a beat was late, in milliseconds.
    double latest() {
        beat();
        return m_latest;
    }

private:
    static constexpr int kBeatMs = 5;
    void beat() {
        m_latest = std::max(m_latest, double(m_clock.nsecsElapsed()) / 1e6 - kBeatMs);
        m_clock.restart();
    }
    QTimer m_timer;
    QElapsedTimer m_clock;
    double m_latest = 0;
};

/// How late the heartbeat comes at most, in milliseconds, in an event loop that has nothing to do while all
/// cores compute as during a drag: the scheduler's share, and on a shared machine that of its other guests.
inline double machineLatest() {
    constexpr int kMs = 1500;
    std::vector<std::jthread> busy;
    for (unsigned i = 0; i < std::max(1u, std::thread::hardware_concurrency()); ++i)
        busy.emplace_back([](const std::stop_token& stop) {
            for (volatile unsigned work = 0; !stop.stop_requested();)
                work = work + 1;
        });
    Heartbeat heart;
    QTest::qWait(kMs);
    return heart.latest();
}

} // namespace scanloupe::test
