#pragma once
// Declares formatting of coordinates for messages.
#include "kernels/core/vec3.h"

#include <string>

namespace scanloupe {

struct Bounds;

/// Formats coordinates as "x,y,z", rounded to about a millionth of `extent`, the size in metres of the scan
/// or box that they belong to. (Six significant digits would round map coordinates to metres.)
std::string coordinateText(Vec3d position, double extent);
/// Formats both corners of a box as "x,y,z to x,y,z".
std::string coordinateText(const Bounds& box);

} // namespace scanloupe
