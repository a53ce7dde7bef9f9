#pragma once
// What a person sees on stderr while a command works.
#include "engine/io/progress.h"

#include <chrono>
#include <mutex>
#include <ostream>
#include <string>

namespace scanloupe::cli {

/// A bar that redraws itself on a terminal; elsewhere one plain line a step, and a percentage now and then.
class Console {
public:
    Console(std::ostream& err, bool terminal) : m_err(err), m_terminal(terminal) {}

    /// Begins a step, e.g. "reading street.ply"; the function moves its bar, from any thread. The console
    /// must outlive it.
    ProgressFunction step(const std::string& what);
    /// A line for people, above the bar.
    void line(const std::string& text);
    /// Takes the bar away.
    void clear();

private:
    using Clock = std::chrono::steady_clock;
    void update(double done);
    void eraseBar();

    std::ostream& m_err;
    const bool m_terminal;
    std::mutex m_mutex;
    std::string m_step;
    bool m_barShown = false;
    Clock::time_point m_lastShown;
};

} // namespace scanloupe::cli
