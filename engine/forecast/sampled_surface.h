#pragma once
// Declares the surface of a recipe in some boxes of a cloud: the number of triangles per voxel.
#include "engine/forecast/box_sample.h"

#include <optional>

namespace scanloupe {

struct Recipe;

struct SampledSurface {
    double trianglesPerVoxel = 0;
    double spread = 0; ///< standard deviation of its logarithm, from how much boxes differ
    double verticesPerTriangle = 0;
};

/// Runs a recipe in some boxes in its range, a few thousand voxels, and counts triangles per voxel. Takes a
/// few milliseconds; three times as long where boxes differ much. @param resolved may lack an automatic
/// iso-value @param pointsPerVoxel approximate, over all points in the range @param origin of the cloud
/// @returns no value where no box has voxels
std::optional<SampledSurface> sampleSurface(const BoxSample& sample, const Recipe& resolved,
                                            double pointsPerVoxel, Vec3d origin);

} // namespace scanloupe
