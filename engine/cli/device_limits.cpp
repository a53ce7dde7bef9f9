// Formats the launch limits of the CUDA device.
#include "engine/cli/device_limits.h"

#include "engine/cli/output/text.h"
#include "engine/compute/memory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace scanloupe::cli {

std::string limitsText(const LaunchLimits& limits) {
    return fmt::format("maximum per block: {} threads, {} registers and {} of shared memory ({} opt-in); "
                       "shared memory per multiprocessor: {}; {}",
                       grouped(std::uint64_t(limits.threadsPerBlock)),
                       grouped(std::uint64_t(limits.registersPerBlock)), formatBytes(limits.sharedPerBlock),
                       formatBytes(limits.sharedPerBlockOptIn), formatBytes(limits.sharedPerMultiprocessor),
                       limits.hasWatchdog ? "a watchdog stops kernels that run for several seconds"
                                          : "no time limit for kernels");
}

nlohmann::ordered_json limitsJson(const DeviceInfo& device) {
    if (!device.usable)
        return nullptr;
    const LaunchLimits& limits = device.limits;
    return {{"threads_per_block", limits.threadsPerBlock},
            {"registers_per_block", limits.registersPerBlock},
            {"shared_bytes_per_block", limits.sharedPerBlock},
            {"shared_bytes_per_block_opt_in", limits.sharedPerBlockOptIn},
            {"shared_bytes_per_multiprocessor", limits.sharedPerMultiprocessor},
            {"has_watchdog", limits.hasWatchdog}};
}

} // namespace scanloupe::cli
