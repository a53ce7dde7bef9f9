#pragma once
// Declares where an operator computes: on the host, on a CUDA device in the order of a stream, or with SYCL.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

class SyclDevice;

/// Where an operator computes, and how it is stopped. The operators of each folder (`operators.h`) take it
/// and choose the backend, so that callers need not.
struct Execution {
    std::optional<StreamView> device; ///< CUDA: input and results lie on the device; none: on the host
    std::stop_token stop;
    /// SYCL: results lie in host memory that this device shares. An operator without a function for it
    /// computes on the host.
    const SyclDevice* sycl = nullptr;

    bool onDevice() const { return device.has_value(); }
    bool bySycl() const { return sycl != nullptr; }
    Execution onHost() const { return {std::nullopt, stop}; }
};

/// `compute(execution)`; once more on the host if the device has too little memory for it, or if SYCL fails.
/// The host usually has more; if not, its own check reports what to do.
template <class Compute>
auto orOnHost(const Execution& execution, Compute&& compute) -> decltype(compute(execution)) {
    if (execution.onDevice() || execution.bySycl()) {
        try {
            return compute(execution);
        } catch (const DeviceMemoryShort&) {
        } catch (const SyclFailure&) { // SyclDevice::failure() has the reason
        }
    }
    return compute(execution.onHost());
}

} // namespace scanloupe
