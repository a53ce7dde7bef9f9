#pragma once
#include "engine/cloud/point_cloud.h"

#include <string>

namespace scanloupe {

/// Coordinates for messages, "x,y,z": six significant digits of `extent`, the size of what they belong to,
/// in metres. With map coordinates, six digits of the coordinates themselves would round by kilometres.
std::string coordinateText(Vec3d position, double extent);
/// Both corners, "x,y,z to x,y,z".
std::string coordinateText(const Bounds& box);

} // namespace scanloupe
