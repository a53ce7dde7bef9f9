#pragma once
// Declares the launch limits of the CUDA device, as text and as JSON.
#include "kernels/core/device.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe::cli {

/// In one sentence without its full stop.
std::string limitsText(const LaunchLimits& limits);
/// Sizes in bytes; null for a device that can't be used.
nlohmann::ordered_json limitsJson(const DeviceInfo& device);

} // namespace scanloupe::cli
