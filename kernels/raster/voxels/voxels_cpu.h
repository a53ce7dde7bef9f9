#pragma once
// Declares the drawing of voxels on the CPU.
#include "kernels/raster/core/raster_target.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Draws all voxels. @returns the number rejected because a coordinate is not finite. @throws Cancelled
std::uint64_t drawVoxels(const RasterTarget& target, const RasterScene& scene, const std::stop_token& stop);

} // namespace scanloupe::cpu
