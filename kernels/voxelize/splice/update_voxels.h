#pragma once
// Declares how voxels follow points of which few have changed.
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/splice/splice_voxels.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

/// A grid that follows changed points. Voxels of theirs, before or now, are averaged again: they are removed
/// and, with points, added.
struct VoxelUpdate {
    VoxelGrid grid;
    VoxelChange change;              ///< from the grid before
    std::vector<std::uint32_t> rows; ///< [M] points that were averaged again, ascending
    VoxelGrid averaged;              ///< of these points alone: a voxel for each of `change.added`
};

/// The bytes that voxelize() gives for `points`, with nearly the same points as the grid before; on all
/// cores. @param before of the same parameters, with VoxelGrid::pointVoxel and without features
/// @param changed ascending: the points whose position is another one @throws as voxelize(); Fault for limits
/// of voxels or of points in voxels
VoxelUpdate updateVoxels(const VoxelGrid& before, std::span<const Vec3f> points,
                         std::span<const std::uint32_t> changed, const VoxelizeParams& params,
                         const std::stop_token& stop);

/// Values of voxels that follow the same update: those of voxels that stay, and `averaged` of the others.
template <class T>
Buffer<T> updateValues(const Buffer<T>& before, const VoxelUpdate& update, const Buffer<T>& averaged,
                       const std::stop_token& stop);

} // namespace scanloupe::cpu
