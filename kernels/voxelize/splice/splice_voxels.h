#pragma once
// Declares how voxels are added to a grid and taken from it.
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Voxels to be added and removed. All lists ascend.
struct VoxelChange {
    std::vector<std::uint64_t> added;   ///< keys, which the grid doesn't have
    std::vector<std::uint32_t> addedAt; ///< [added] the voxels before which they come, by index; may repeat
    std::vector<std::uint32_t> removed; ///< indices
};

namespace cpu {
/// The grid after a change. A voxel that is added has no points: its count is 0, and its mean the middle of
/// its box. Points of a voxel that is removed have none.
/// @throws KernelError for 2^32 - 1 voxels or more; Cancelled
VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::spliceVoxels, with the same bytes as its result; the grid lies on the device,
/// VoxelGrid::pointVoxel on either. @note Synchronizes with `stream`.
VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop,
                       StreamView stream);
} // namespace cuda

} // namespace scanloupe
