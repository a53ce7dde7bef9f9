// Draws the progress bar and prints messages above it.
#include "engine/cli/output/console.h"

#include "engine/io/common/text/utf8.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe::cli {

namespace {
constexpr auto kBarPeriod = std::chrono::milliseconds(80); // 12 redraws per second look smooth
constexpr auto kLinePeriod = std::chrono::seconds(5);      // infrequent, because plain lines fill log files
constexpr int kBarWidth = 30;
} // namespace

ProgressFunction Console::step(const std::string& what) {
    const std::scoped_lock lock(m_mutex);
    eraseBar();
    m_step = terminalLine(what);
    m_lastShown = Clock::now();
    if (!m_terminal && !m_quiet)
        m_err << m_step << std::endl;
    return [this](double done) { update(done); };
}

void Console::line(const std::string& text) {
    if (!m_quiet)
        error(terminalLine(text));
}

void Console::error(const std::string& text) {
    const std::scoped_lock lock(m_mutex);
    eraseBar();
    m_err << terminalMessage(text) << std::endl;
}

void Console::clear() {
    const std::scoped_lock lock(m_mutex);
    eraseBar();
}

void Console::update(double done) {
    if (m_quiet)
        return;
    const std::unique_lock lock(m_mutex, std::try_to_lock);
    if (!lock)
        return; // Another thread is drawing. Workers must not block on the terminal.
    const auto now = Clock::now();
    if (now - m_lastShown < (m_terminal ? Clock::duration(kBarPeriod) : Clock::duration(kLinePeriod)))
        return;
    m_lastShown = now;
    const double part = std::clamp(done, 0.0, 1.0);
    const int percent = static_cast<int>(part * 100);
    if (m_terminal) {
        const int filled = static_cast<int>(part * kBarWidth);
        m_err << fmt::format("\r\x1b[K[{:#<{}}{:.<{}}] {:3d} % {}", "", filled, "", kBarWidth - filled,
                             percent, m_step)
              << std::flush;
        m_barShown = true;
    } else {
        m_err << fmt::format("{}: {} %", m_step, percent) << std::endl;
    }
}

void Console::eraseBar() {
    if (!m_barShown)
        return;
    m_err << "\r\x1b[K" << std::flush;
    m_barShown = false;
}

} // namespace scanloupe::cli
