#pragma once
// Declares sizes that depend on a recipe's voxel size and radius alone.
#include "engine/forecast/occupied_cells.h"

#include <string>

namespace scanloupe {

struct Recipe;

/// Geometric mean of a voxel's edges, metres.
double meanEdge(const Recipe& resolved);

/// The name under which corrections of surfaces are learned: recipes of one key err alike.
std::string surfaceKey(const Recipe& resolved);

/// The nodes that a field has around a voxel, as layoutOf() of the fields.
BrickReach reachOf(const Recipe& resolved);

} // namespace scanloupe
