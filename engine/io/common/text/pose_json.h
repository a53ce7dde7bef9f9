#pragma once
// Declares rigid transforms in JSON.
#include "kernels/core/rigid_transform.h"

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace scanloupe {

/// Returns [3, 4] rows of rotation and translation.
nlohmann::ordered_json toJsonPose(const RigidTransform& pose);
/// @param problem receives a description of invalid numbers; empty if they are valid
/// @throws nlohmann::json::exception if the value is not a 3 x 4 array
RigidTransform poseFromJson(const nlohmann::ordered_json& value, std::string& problem);

} // namespace scanloupe
