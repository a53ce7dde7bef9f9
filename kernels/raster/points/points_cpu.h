#pragma once
// Declares the drawing of points on the CPU.
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/points/point_subset.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Draws all points. @returns the number rejected because a coordinate is not finite. @throws Cancelled
std::uint64_t drawPoints(const RasterTarget& target, const RasterScene& scene, const std::stop_token& stop);

/// Draws a part of the scene's points into a buffer that need not be empty. After all parts have been drawn,
/// in arbitrary order and any number of times each, the buffer equals the result of rasterize() for the
/// points.
/// @returns the number rejected because a coordinate is not finite
/// @throws KernelError as rasterize(), and for a buffer of another size; Cancelled
std::uint64_t addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
                        PointSubset part, const std::stop_token& stop);
/// Same as above, for the points with these indices.
void addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
               std::span<const std::uint32_t> points, const std::stop_token& stop);

} // namespace scanloupe::cpu
