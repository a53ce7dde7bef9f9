#pragma once
// Declares the console, which shows progress and messages on stderr.
#include "engine/io/common/progress.h"

#include <chrono>
#include <mutex>
#include <ostream>
#include <string>

namespace scanloupe::cli {

/// Shows progress. On a terminal it redraws a progress bar; otherwise it prints a plain line for each step,
/// and the percentage every few seconds.
class Console {
public:
    Console(std::ostream& err, bool terminal) : m_err(err), m_terminal(terminal) {}

    /// Begins a step, for instance "reading street.ply". The returned function updates the progress bar and
    /// is thread-safe; the console must outlive it.
    ProgressFunction step(const std::string& what);
    /// Prints a line above the progress bar.
    void line(const std::string& text);
    /// Erases the progress bar.
    void clear();
    /// Suppresses all output except errors from now on.
    void makeQuiet() { m_quiet = true; }
    /// Prints an error.
    void error(const std::string& text);
    std::ostream& err() { return m_err; }

private:
    using Clock = std::chrono::steady_clock;
    void update(double done);
    void eraseBar();

    std::ostream& m_err;
    const bool m_terminal;
    bool m_quiet = false;
    std::mutex m_mutex;
    std::string m_step;
    bool m_barShown = false;
    Clock::time_point m_lastShown;
};

} // namespace scanloupe::cli
