#pragma once
// Declares the averaging of points in pixels on the CPU.
#include "kernels/raster/core/resolve_view.h"
#include "kernels/raster/points/point_average.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Returns the sums of the colours of the points that are averaged in each pixel, [height, width]. @throws
/// Cancelled
Buffer<PointSums> sumPoints(const VisibilityBuffer& visibility, const RasterScene& scene,
                            const ResolveView& resolve, const std::stop_token& stop);

} // namespace scanloupe::cpu
