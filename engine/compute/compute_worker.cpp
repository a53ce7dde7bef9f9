// Names workers.
#include "engine/compute/compute_worker.h"

#include <fmt/format.h>

namespace scanloupe {

std::string nameOf(const ComputeWorker& worker) {
    return worker.device ? fmt::format("device {}", *worker.device) : "host";
}

} // namespace scanloupe
