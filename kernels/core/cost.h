#pragma once
// Declares the cost of an operation (wall time, device time, memory) and a wall-clock timer.
#include <chrono>
#include <cstdint>
#include <vector>

namespace scanloupe {

/// The cost of one step of an operation.
struct StepCost {
    const char* name; ///< name such as "insert"; must be a string literal
    double wallMs = 0;
};

/// Cost of an operation.
struct Cost {
    double wallMs = 0;       ///< milliseconds of wall time on the host, from call to result
    double deviceMs = 0;     ///< milliseconds between CUDA events on the device; 0 on the CPU backend
    std::uint64_t bytes = 0; ///< size of the result's memory
    bool bySycl = false;     ///< true if computed by the SYCL backend
    /// Steps in order of execution; only for CPU operations that measure them, since kernels overlap on the
    /// device.
    std::vector<StepCost> steps = {};
};

/// Measures wall time since its construction.
class WallTimer {
public:
    double elapsedMs() const {
        return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

/// Measures the wall time of consecutive steps: each step starts where the previous one ended, the first one
/// at construction.
class StepTimer {
public:
    /// @param steps receives the measured steps; must outlive the timer
    explicit StepTimer(std::vector<StepCost>& steps) : m_steps(steps) {}
    void end(const char* step) {
        m_steps.push_back({step, m_timer.elapsedMs()});
        m_timer = WallTimer();
    }

private:
    std::vector<StepCost>& m_steps;
    WallTimer m_timer;
};

} // namespace scanloupe
