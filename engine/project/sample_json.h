#pragma once
// Declares parameters of generated scans in JSON.
#include "kernels/synth/scan_generator.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

nlohmann::ordered_json toJson(const synth::ScanParams& sample);
/// Limits of the numbers are checked where the scan is generated.
/// @param problem receives the problem with its values; empty: none
/// @throws nlohmann::json::exception where members are missing or of another type
synth::ScanParams sampleFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
