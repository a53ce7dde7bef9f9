#pragma once
// Declares where an operator computes: on the host, on a CUDA device in the order of a stream, or with SYCL.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

class SyclDevice;

/// The backend that an operator computes on, and how to cancel it. The operators of each folder
/// (`operators.h`) take an Execution and dispatch to its backend.
struct Execution {
    std::optional<StreamView> device; ///< stream of the CUDA device, with input and results in device memory;
                                      ///< empty: compute on the host
    std::stop_token stop;
    /// SYCL device, with results in host memory that it shares; null without SYCL. An operator without a SYCL
    /// implementation computes on the host.
    const SyclDevice* sycl = nullptr;

    bool onDevice() const { return device.has_value(); }
    bool bySycl() const { return sycl != nullptr; }
    Execution onHost() const { return {std::nullopt, stop}; }
};

/// Returns `compute(execution)`. If the device has too little memory, or SYCL fails, computes again on the
/// host, which usually has more memory.
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
