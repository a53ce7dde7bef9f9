// Installs async-signal-safe signal handlers that request a stop.
#include "engine/cli/output/interrupt.h"

#include <array>
#include <atomic>

namespace scanloupe::cli {

namespace {

std::atomic<std::stop_source*> current{nullptr};
static_assert(std::atomic<std::stop_source*>::is_always_lock_free);

// request_stop() takes a lock only to run callbacks. Kernels and engine register no callbacks
// (tests/engine/test_arrows.cpp verifies this), so here request_stop() is a single atomic exchange, which is
// async-signal-safe.
void requestStop(int) {
    if (std::stop_source* source = current.load())
        source->request_stop();
}

/// Signals whose default action would end the process while it writes a file, and leave a temporary file
/// behind. SIGQUIT is not handled, because its purpose is a core dump of the unmodified process.
constexpr std::array kStopSignals{
    SIGINT,  SIGTERM,
    SIGHUP,  // the terminal was closed
    SIGPIPE, // the reader of the output has ended
    SIGXCPU, // the CPU time limit was exceeded
};
/// Sent when the file size limit is exceeded. The signal is ignored, so the write fails with EFBIG and is
/// reported like other write errors.
constexpr int kIgnoredSignal = SIGXFSZ;

/// Whether a signal keeps being ignored because nohup, or a shell without job control, has set it so. SIGINT
/// and SIGTERM are always handled, because they are sent on purpose.
bool staysIgnored(int signal) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    return signal != SIGINT && signal != SIGTERM && before.sa_handler == SIG_IGN;
}

} // namespace

StopOnInterrupt::StopOnInterrupt() {
    current = &m_source;
    struct sigaction action {};
    action.sa_flags = SA_RESTART; // interrupted write() calls are restarted, so they complete
    sigemptyset(&action.sa_mask);
    for (const int signal : kStopSignals)
        sigaddset(&action.sa_mask, signal);
    const auto handle = [&](int signal, void (*handler)(int)) {
        if (staysIgnored(signal))
            return;
        Handled& handled = m_handled.emplace_back();
        handled.signal = signal;
        action.sa_handler = handler;
        sigaction(signal, &action, &handled.before);
    };
    for (const int signal : kStopSignals)
        handle(signal, requestStop);
    handle(kIgnoredSignal, SIG_IGN);
}

StopOnInterrupt::~StopOnInterrupt() {
    for (const Handled& handled : m_handled)
        sigaction(handled.signal, &handled.before, nullptr);
    current = nullptr;
}

} // namespace scanloupe::cli
