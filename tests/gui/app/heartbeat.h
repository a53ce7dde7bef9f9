#pragma once
// Measures the delay of a window's event loop, and the delay of any event loop on this machine.
#include <QElapsedTimer>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <stop_token>
#include <thread>
#include <vector>

namespace scanloupe::test {

/// Measures how long the event loop does not process events.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        m_timer.setInterval(kBeatMs);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { beat(); });
        m_clock.start();
        m_timer.start();
    }
    /// Maximum delay of a beat, in milliseconds.
    double latest() {
        beat();
        return *std::max_element(m_late.begin(), m_late.end());
    }
    /// 95th percentile of the waiting time of events, in milliseconds: a single long pause of a shared
    /// machine does not affect it, frequent ones do.
    double wait95() {
        beat();
        std::vector<double> late = m_late;
        std::sort(late.begin(), late.end());
        double all = 0;
        for (const double pause : late)
            all += pause + kBeatMs;
        // a pause of p ms makes events wait for more than w ms during p - w ms
        double longer = 0; // sum of the current pause and all longer ones
        for (std::size_t n = 1; n <= late.size(); ++n) {
            longer += late[late.size() - n];
            const double wait = (longer - 0.05 * all) / double(n);
            if (wait >= (n < late.size() ? late[late.size() - n - 1] : 0))
                return std::max(0.0, wait);
        }
        return 0;
    }

private:
    static constexpr int kBeatMs = 5;
    void beat() {
        m_late.push_back(std::max(0.0, double(m_clock.nsecsElapsed()) / 1e6 - kBeatMs));
        m_clock.restart();
    }
    QTimer m_timer;
    QElapsedTimer m_clock;
    std::vector<double> m_late; ///< delay of each beat, milliseconds
};

/// Maximum delay of the heartbeat in milliseconds in an idle event loop while all cores compute, as during a
/// drag. This is the share of the scheduler, and on a shared machine of other guests.
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
