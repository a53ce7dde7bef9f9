#pragma once
// Declares how many triangles and bricks come from voxels, before anything was learned from runs.
#include "engine/forecast/occupied_cells.h"
#include "engine/recipe/recipe.h"

#include <string>

namespace scanloupe {

/// Geometric mean of a voxel's edges, metres.
double meanEdge(const Recipe& resolved);

/// Triangles a voxel, by the points in a voxel: single points have a surface around each, connected sheets
/// share it. Means of generated and real scans (2026-11).
/// @param resolved its iso-value may be without a value, if it follows from the field
double trianglesPerVoxel(const Recipe& resolved, double pointsPerVoxel);

/// Where triangles a voxel are learned.
struct SurfacePlace {
    std::string key;     ///< of the kind of field
    double position = 0; ///< logarithm of the voxel size or of the iso-value, or a radius in voxels
};
SurfacePlace surfacePlace(const Recipe& resolved, double pointsPerVoxel);

/// The nodes that a field has around a voxel, as layoutOf() of the fields.
BrickReach reachOf(const Recipe& resolved);

} // namespace scanloupe
