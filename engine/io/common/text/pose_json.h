#pragma once
// Declares rigid transforms in JSON.
#include "kernels/core/rigid_transform.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

/// [3, 4] rows of rotation and translation.
nlohmann::ordered_json toJsonPose(const RigidTransform& pose);
/// @param problem gets what is wrong with its numbers; empty: nothing
/// @throws nlohmann::json::exception for what has not such rows
RigidTransform poseFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
