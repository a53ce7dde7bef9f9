// Chooses the backend from the user's wish and the device that is there.
#include "engine/compute/backend.h"

#include "engine/cloud/error.h"

#include <fmt/format.h>

namespace scanloupe {

BackendChoice chooseBackend(Backend wanted) {
    BackendChoice choice;
    if (wanted == Backend::cpu) {
        choice.reason = "The CPU was asked for.";
        return choice;
    }
    choice.device = probeDevice();
    if (choice.device.usable) {
        choice.backend = Backend::cuda;
        choice.reason = fmt::format("CUDA runs on {}.", choice.device.name);
    } else if (wanted == Backend::cuda) {
        throw EngineError("CUDA was asked for, but " + choice.device.reason, "Take the CPU: --backend cpu.");
    } else {
        choice.reason = "The CPU runs: " + choice.device.reason;
    }
    return choice;
}

DeviceStream deviceStreamOf(const BackendChoice& choice) {
    const bool isDevice = choice.backend == Backend::cuda;
    return [isDevice] { return isDevice ? std::make_shared<const Stream>() : nullptr; };
}

} // namespace scanloupe
