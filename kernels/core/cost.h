#pragma once
// Declares the cost of an operation (wall time, device time, memory) and a wall-clock timer.
#include <chrono>
#include <cstdint>
#include <vector>

namespace scanloupe {

/// A part of an operation.
struct StepCost {
    const char* name; ///< such as "insert"; lives as long as the program
    double wallMs = 0;
};

/// Cost of an operation.
struct Cost {
    double wallMs = 0;       ///< milliseconds on the host's clock, from call to result
    double deviceMs = 0;     ///< milliseconds between events on the device; 0 on the CPU backend
    std::uint64_t bytes = 0; ///< memory that the result holds
    bool bySycl = false;     ///< computed with SYCL
    /// Steps in their order, of operations of the CPU backend that measure them; on the device, kernels
    /// overlap.
    std::vector<StepCost> steps = {};
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

/// Measures the wall time of steps, the first from its construction, the others from the one before.
class StepTimer {
public:
    /// @param steps outlive it
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
