#pragma once
// Declares verdicts on poses in JSON.
#include "engine/align/pose_verdict.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

/// Status, probability and reason, without the evidence.
nlohmann::ordered_json toJson(const PoseVerdict& verdict);
/// @param problem receives a description of invalid values; empty: they are valid
/// @throws nlohmann::json::exception where members are missing or of another type
PoseVerdict verdictFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
