#pragma once
// Declares the workers that share the tasks of a job.
#include <optional>
#include <string>

namespace scanloupe {

/// A device, or the host with all its cores.
struct ComputeWorker {
    std::optional<int> device; ///< number of a CUDA device; none: the host
};

/// "host", "device 0".
std::string nameOf(const ComputeWorker& worker);

} // namespace scanloupe
