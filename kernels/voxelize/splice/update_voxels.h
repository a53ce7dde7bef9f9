#pragma once
// Declares the update of voxels after a change of few points.
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/splice/splice_voxels.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// A grid after a change of points. Voxels that contain changed points, before or now, are averaged again:
/// they are removed and, with points, added.
struct VoxelUpdate {
    VoxelGrid grid;
    VoxelChange change;              ///< change from the previous grid
    std::vector<std::uint32_t> rows; ///< [M] indices of the points that were averaged again, ascending
    VoxelGrid averaged;              ///< means of these points alone: a voxel for each of `change.added`
};

/// Updates a grid to the result of voxelize() for `points`, which are nearly the same points as before, with
/// identical bytes; on all cores.
/// @param before grid of the same parameters, with VoxelGrid::pointVoxel and without features
/// @param changed indices of the points whose position has changed, ascending
/// @throws as voxelize(); Fault for parameters with limits of voxels or of points in voxels
VoxelUpdate updateVoxels(const VoxelGrid& before, std::span<const Vec3f> points,
                         std::span<const std::uint32_t> changed, const VoxelizeParams& params,
                         const std::stop_token& stop);

/// Values of voxels after an update: previous values of voxels that stay, and `averaged` for the others.
template <class T>
Buffer<T> updateValues(const Buffer<T>& before, const VoxelUpdate& update, const Buffer<T>& averaged,
                       const std::stop_token& stop);

} // namespace scanloupe::cpu
