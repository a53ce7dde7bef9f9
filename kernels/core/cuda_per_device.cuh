#pragma once
// Declares values that exist once per device, such as memory pools and events.
#include "kernels/core/cuda_check.h"

#include <map>
#include <mutex>

namespace scanloupe::cuda {

/// Holds one value per device, created on first use. Thread-safe.
template <class T>
class PerDevice {
public:
    /// Returns the value of the thread's current device, created by `make()` on first use. References stay
    /// valid.
    template <class Make>
    T& get(Make&& make) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        const std::lock_guard lock(m_mutex);
        auto found = m_values.find(device);
        if (found == m_values.end())
            found = m_values.emplace(device, make(device)).first;
        return found->second;
    }

private:
    std::mutex m_mutex;
    std::map<int, T> m_values;
};

} // namespace scanloupe::cuda
