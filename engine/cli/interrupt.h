#pragma once
#include <stop_token>

namespace scanloupe::cli {

/// While it lives, Ctrl-C (SIGINT) and SIGTERM request a stop instead of ending the process. One at a time.
class StopOnInterrupt {
public:
    StopOnInterrupt();
    ~StopOnInterrupt();
    StopOnInterrupt(const StopOnInterrupt&) = delete;
    StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

    std::stop_token token() const { return m_source.get_token(); }

private:
    std::stop_source m_source;
};

} // namespace scanloupe::cli
