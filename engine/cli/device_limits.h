#pragma once
// Declares the launch limits of the CUDA device, as text and as JSON.
#include "kernels/core/device.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe::cli {

/// Describes the launch limits in one line, without a full stop.
std::string limitsText(const LaunchLimits& limits);
/// Returns the launch limits as JSON, sizes in bytes; null if the device is not usable.
nlohmann::ordered_json limitsJson(const DeviceInfo& device);

} // namespace scanloupe::cli
