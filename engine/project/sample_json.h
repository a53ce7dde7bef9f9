#pragma once
// Declares conversions of the parameters of generated scans from and to JSON.
#include "kernels/synth/scan_generator.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

nlohmann::ordered_json toJson(const synth::ScanParams& sample);
/// Reads the parameters of a generated scan. Does not check the limits of numbers, because the generator
/// does.
/// @param problem receives a description of the problem; empty: none
/// @throws nlohmann::json::exception if members are missing or of another type
synth::ScanParams sampleFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
