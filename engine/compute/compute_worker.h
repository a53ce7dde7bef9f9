#pragma once
// Declares the workers that share the tasks of a job.
#include <optional>
#include <string>

namespace scanloupe {

/// A device, or the CPU with all its cores.
struct ComputeWorker {
    std::optional<int> device; ///< index of a CUDA device; nullopt: the CPU
};

/// Returns "host" or e.g. "device 0".
std::string nameOf(const ComputeWorker& worker);

} // namespace scanloupe
