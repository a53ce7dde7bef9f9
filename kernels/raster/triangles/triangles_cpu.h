#pragma once
// Declares the drawing of triangles on the CPU.
#include "kernels/raster/core/raster_target.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Draws all triangles. @returns how many were rejected because a coordinate is not finite. @throws
/// KernelError when one names a vertex that is not there; Cancelled
std::uint64_t drawTriangles(const RasterTarget& target, const RasterScene& scene,
                            const std::stop_token& stop);

} // namespace scanloupe::cpu
