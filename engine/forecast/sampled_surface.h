#pragma once
// Declares the surface of a recipe in some boxes of a cloud: how many triangles come from a voxel.
#include "engine/forecast/box_sample.h"
#include "engine/recipe/recipe.h"

#include <optional>

namespace scanloupe {

struct SampledSurface {
    double trianglesPerVoxel = 0;
    double spread = 0; ///< standard deviation of its logarithm, from how much boxes differ
    double verticesPerTriangle = 0;
};

/// Runs a recipe in some boxes in its range, a few thousand voxels, and counts triangles by voxels. Takes a
/// few milliseconds; three times as long where boxes differ much.
/// @param resolved its iso-value may be without a value, if it is automatic
/// @param pointsPerVoxel of all points in the range, about
/// @param origin of the cloud
/// @returns no value where no box has voxels
std::optional<SampledSurface> sampleSurface(const BoxSample& sample, const Recipe& resolved,
                                            double pointsPerVoxel, Vec3d origin);

} // namespace scanloupe
