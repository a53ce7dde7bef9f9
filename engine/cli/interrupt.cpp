#include "engine/cli/interrupt.h"

#include <atomic>
#include <csignal>

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

void handle(int signal, void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART; // a write that is going on ends whole
    sigemptyset(&action.sa_mask);
    sigaddset(&action.sa_mask, SIGINT);
    sigaddset(&action.sa_mask, SIGTERM);
    sigaction(signal, &action, nullptr);
}
} // namespace

StopOnInterrupt::StopOnInterrupt() {
    current = &m_source;
    handle(SIGINT, requestStop);
    handle(SIGTERM, requestStop);
}

StopOnInterrupt::~StopOnInterrupt() {
    handle(SIGINT, SIG_DFL);
    handle(SIGTERM, SIG_DFL);
    current = nullptr;
}

} // namespace scanloupe::cli
