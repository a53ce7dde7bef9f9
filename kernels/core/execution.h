#pragma once
// Says where an operator computes: on the host, or on the device in the order of a stream.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <optional>
#include <stop_token>

namespace scanloupe {

/// Where an operator computes, and who may stop it. The operators of each folder (`operators.h`) take it and
/// choose the backend, so that callers need not.
struct Execution {
    std::optional<StreamView> device; ///< none: on the host
    std::stop_token stop;

    bool onDevice() const { return device.has_value(); }
    Execution onHost() const { return {std::nullopt, stop}; }
};

/// `compute(execution)`; once more on the host if the device has too little memory for it. The host usually
/// has more; if not, its own check reports what to do.
template <class Compute>
auto orOnHost(const Execution& execution, Compute&& compute) -> decltype(compute(execution)) {
    if (execution.onDevice()) {
        try {
            return compute(execution);
        } catch (const DeviceMemoryShort&) {
        }
    }
    return compute(execution.onHost());
}

} // namespace scanloupe
