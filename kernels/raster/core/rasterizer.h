#pragma once
// Rasterizes points, voxels and triangles in software into a visibility buffer.
#include "kernels/raster/core/raster_scene.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Draws the scene into a new visibility buffer. Deterministic: the result does not depend on the order of
/// drawing. A triangle covers a pixel if it contains the pixel's centre, under the top-left rule. A voxel
/// covers a pixel if the ray through the pixel's centre hits it; a voxel that spans less than a pixel is
/// drawn in the pixel of the voxel's centre. From inside a voxel, its inner walls are visible.
/// @throws KernelError if there are more than 2^30 - 1 primitives of a kind, a size or scale is out of range,
/// or a triangle has a missing vertex; Cancelled
VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           const std::stop_token& stop);

/// Returns an empty visibility buffer, for points that are drawn incrementally. @throws Cancelled
VisibilityBuffer emptyBuffer(const Projection& projection, const std::stop_token& stop);
/// Returns the number of pixels with a primitive. @throws Cancelled
std::uint64_t countDrawn(const VisibilityBuffer& buffer, const std::stop_token& stop);

} // namespace scanloupe::cpu
