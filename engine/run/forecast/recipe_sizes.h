#pragma once
// Declares quantities that only depend on a recipe's voxel size and radius.
#include "engine/run/forecast/occupied_cells.h"

#include <string>

namespace scanloupe {

struct Recipe;

/// Returns the geometric mean of a voxel's edges, metres.
double meanEdge(const Recipe& resolved);

/// Returns the key under which corrections of surfaces are learned. The estimates for recipes with the same
/// key have similar errors.
std::string surfaceKey(const Recipe& resolved);

/// Returns the nodes that a field has around a voxel, as layoutOf() of the fields.
BrickReach reachOf(const Recipe& resolved);

} // namespace scanloupe
