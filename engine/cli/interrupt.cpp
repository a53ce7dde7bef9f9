#include "engine/cli/interrupt.h"

#include <array>
#include <atomic>

namespace scanloupe::cli {

namespace {

std::atomic<std::stop_source*> current{nullptr};
static_assert(std::atomic<std::stop_source*>::is_always_lock_free);

// request_stop takes a lock only to run callbacks. Neither kernels nor engine register any
// (tests/engine/test_arrows.cpp holds them to it), so that it is one atomic exchange here, which a signal
// handler may do.
void requestStop(int) {
    if (std::stop_source* source = current.load())
        source->request_stop();
}

/// Signals that would end the program in the middle of a file and leave its temporary behind. SIGQUIT still
/// does: who sends it wants to see the process as it is.
constexpr std::array kStopSignals{
    SIGINT,  SIGTERM,
    SIGHUP,  // the terminal was closed
    SIGPIPE, // nobody reads what is told any more
    SIGXCPU, // the time that the system grants is used up
};
/// Writing beyond the size that the system grants is an error like others then.
constexpr int kIgnoredSignal = SIGXFSZ;

/// nohup and shells without job control have children ignore some signals: they stay ignored, but for Ctrl-C
/// and a request to end, which somebody sends on purpose.
bool staysIgnored(int signal) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    return signal != SIGINT && signal != SIGTERM && before.sa_handler == SIG_IGN;
}

} // namespace

StopOnInterrupt::StopOnInterrupt() {
    current = &m_source;
    struct sigaction action {};
    action.sa_flags = SA_RESTART; // a write that is going on ends whole
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
