#pragma once
// Declares selections by the adjacency of voxels: connected parts, and growing by voxels. On the host.
#include "kernels/select/point_set.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The voxels of the connected parts that contain `seeds`. Voxels that share a corner are adjacent.
/// @param keys [V] of the occupied voxels, ascending; @param seeds [V] on the host @throws Cancelled
PointSet connectedVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, const PointSet& seeds,
                         const std::stop_token& stop);
/// The voxels of a set and those that can be reached from it in `steps` steps to adjacent voxels. @throws as
/// above
PointSet grownVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, PointSet set, int steps,
                     const std::stop_token& stop);

} // namespace scanloupe
