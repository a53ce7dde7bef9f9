#pragma once
// Formats coordinates for messages.
#include "engine/cloud/point_cloud.h"

#include <string>

namespace scanloupe {

/// Coordinates for messages, "x,y,z", rounded to about a millionth of `extent`, the size in metres of the
/// scan or box that they belong to. Six significant digits would round map coordinates by metres.
std::string coordinateText(Vec3d position, double extent);
/// Both corners, "x,y,z to x,y,z".
std::string coordinateText(const Bounds& box);

} // namespace scanloupe
