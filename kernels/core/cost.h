#pragma once
// Declares the cost of an operation (wall time, device time, memory) and a wall-clock timer.
#include <chrono>
#include <cstdint>

namespace scanloupe {

/// Cost of an operation.
struct Cost {
    double wallMs = 0;       ///< milliseconds on the host's clock, from call to result
    double deviceMs = 0;     ///< milliseconds between events on the device; 0 on the CPU backend
    std::uint64_t bytes = 0; ///< memory that the result holds
    bool bySycl = false;     ///< computed by SYCL
};

/// Measures wall time from its construction.
class WallTimer {
public:
    double elapsedMs() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

} // namespace scanloupe
