#pragma once
// Declares the surface of a recipe in some boxes of a cloud, to estimate the number of triangles per voxel.
#include "engine/run/forecast/box_sample.h"

#include <optional>

namespace scanloupe {

struct Recipe;

struct SampledSurface {
    double trianglesPerVoxel = 0;
    double spread = 0; ///< standard deviation of the logarithm, from the differences between boxes
    double verticesPerTriangle = 0;
};

/// Runs a recipe in some boxes in its range, with a few thousand voxels, and counts triangles per voxel.
/// Takes a few milliseconds, or three times as long if the boxes differ much.
/// @param resolved may lack an automatic iso-value
/// @param pointsPerVoxel approximate mean over all points in the range
/// @param origin origin of the cloud
/// @returns no value if no box has voxels
std::optional<SampledSurface> sampleSurface(const BoxSample& sample, const Recipe& resolved,
                                            double pointsPerVoxel, Vec3d origin);

} // namespace scanloupe
