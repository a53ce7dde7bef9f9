#pragma once
// Declares verdicts on poses in JSON.
#include "engine/align/pose_verdict.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

/// Word, chance and reason. The evidence is not kept.
nlohmann::ordered_json toJson(const PoseVerdict& verdict);
/// @param problem gets what is wrong with its values; empty: nothing
/// @throws nlohmann::json::exception where members are missing or of another type
PoseVerdict verdictFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
