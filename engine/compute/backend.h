#pragma once
// Which devices there are, and which backend runs.
#include "kernels/core/device.h"

#include <string>

namespace scanloupe {

enum class Backend { automatic, cpu, cuda };

/// The backend that will run, and why.
struct BackendChoice {
    Backend backend = Backend::cpu; ///< cpu or cuda
    std::string reason;             ///< one sentence, for people
    cuda::DeviceInfo device;        ///< usable is false on the CPU
};

/// Takes the wish; `automatic` is CUDA where a device can be used, else the CPU.
/// @throws EngineError when CUDA was asked for and can't be had: why, and what to do.
BackendChoice chooseBackend(Backend wanted);

} // namespace scanloupe
