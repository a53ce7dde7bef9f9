#pragma once
// Declares the choice between the CPU and the CUDA backend.
#include "kernels/core/device.h"
#include "kernels/core/stream.h"

#include <functional>
#include <memory>
#include <string>

namespace scanloupe {

enum class Backend { automatic, cpu, cuda };

/// The backend that will run, and why.
struct BackendChoice {
    Backend backend = Backend::cpu; ///< cpu or cuda
    std::string reason;             ///< one sentence, for people
    DeviceInfo device;              ///< not usable if the CPU was asked for
};

/// Resolves `wanted`: `automatic` is CUDA if a device can be used, else the CPU.
/// @throws EngineError when CUDA was asked for and can't be used: why, and what to do.
BackendChoice chooseBackend(Backend wanted);

/// Gives a new stream of the device that computes; null without one. From any thread.
using DeviceStream = std::function<std::shared_ptr<const Stream>()>;
DeviceStream deviceStreamOf(const BackendChoice& choice);

} // namespace scanloupe
