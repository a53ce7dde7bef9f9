// Installs async-signal-safe handlers that request a stop.
#include "engine/cli/output/interrupt.h"

#include <array>
#include <atomic>

namespace scanloupe::cli {

namespace {

std::atomic<std::stop_source*> current{nullptr};
static_assert(std::atomic<std::stop_source*>::is_always_lock_free);

// request_stop takes a lock only to run callbacks. Neither kernels nor engine register any
// (tests/engine/test_arrows.cpp verifies that), so that it is a single atomic exchange here, which is
// async-signal-safe.
void requestStop(int) {
    if (std::stop_source* source = current.load())
        source->request_stop();
}

/// Signals that would end the process in the middle of a file and leave its temporary file behind. SIGQUIT is
/// not handled: its purpose is a core dump of the unmodified process.
constexpr std::array kStopSignals{
    SIGINT,  SIGTERM,
    SIGHUP,  // the terminal was closed
    SIGPIPE, // the reader of the output has ended
    SIGXCPU, // the CPU time limit is exceeded
};
/// Exceeded file size limit; if ignored, the write fails with EFBIG, as other write errors do.
constexpr int kIgnoredSignal = SIGXFSZ;

/// Signals that nohup, or a shell without job control, has set to be ignored stay ignored, except SIGINT and
/// SIGTERM, which are sent on purpose.
bool staysIgnored(int signal) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    return signal != SIGINT && signal != SIGTERM && before.sa_handler == SIG_IGN;
}

} // namespace

StopOnInterrupt::StopOnInterrupt() {
    current = &m_source;
    struct sigaction action {};
    action.sa_flags = SA_RESTART; // an interrupted write is resumed, so that it completes
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
