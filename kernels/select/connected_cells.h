#pragma once
// Declares selections by voxel adjacency on the host: connected parts, and growing a selection by voxels.
#include "kernels/select/point_set.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Returns the voxels of all connected parts that contain a seed. Voxels that share a face, an edge or a
/// corner are adjacent.
/// @param keys [V] keys of the occupied voxels, ascending @param seeds set of V voxels on the host @throws
/// Cancelled
PointSet connectedVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, const PointSet& seeds,
                         const std::stop_token& stop);
/// Returns the voxels of `set` and all voxels that can be reached from them in at most `steps` steps between
/// adjacent voxels. @throws Cancelled
PointSet grownVoxels(const GridShape& shape, std::span<const std::uint64_t> keys, PointSet set, int steps,
                     const std::stop_token& stop);

} // namespace scanloupe
