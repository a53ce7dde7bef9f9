#pragma once
// Declares the conversion of termination signals to a stop request.
#include <csignal>
#include <stop_token>
#include <vector>

namespace scanloupe::cli {

/// While an object exists, these signals request a stop instead of ending the process, which would leave
/// incomplete files behind: Ctrl-C (SIGINT), SIGTERM, a closed terminal (SIGHUP), a pipe without a reader
/// (SIGPIPE) and an exceeded CPU time limit (SIGXCPU). Signals that nohup ignores stay ignored. Only one
/// object may exist at a time.
class StopOnInterrupt {
public:
    StopOnInterrupt();
    ~StopOnInterrupt();
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    struct Handled {
        int signal = 0;
        struct sigaction before {};
    };
    std::stop_source m_source;
    std::vector<Handled> m_handled;
};

} // namespace scanloupe::cli
