#pragma once
// Declares cameras in JSON.
#include "kernels/raster/core/camera.h"

#include <nlohmann/json_fwd.hpp>

namespace scanloupe {

nlohmann::ordered_json toJsonCamera(const Camera& camera);
/// Parses a camera. @throws nlohmann::json::exception if the value does not describe a camera
Camera cameraFromJson(const nlohmann::ordered_json& value);

} // namespace scanloupe
