#pragma once
// Declares how voxels are added to and removed from a grid.
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Voxels to be added and removed. All lists ascend.
struct VoxelChange {
    std::vector<std::uint64_t> added; ///< keys that the grid does not have
    /// [added] indices of the voxels before which they are inserted; may repeat
    std::vector<std::uint32_t> addedAt;
    std::vector<std::uint32_t> removed; ///< indices of the removed voxels in the grid
};

namespace cpu {
/// Returns the grid after a change. An added voxel has no points: its count is 0, and its mean is its centre.
/// Points of a removed voxel get no voxel.
/// @throws KernelError for 2^32 - 1 voxels or more; Cancelled
VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::spliceVoxels, with an identical result; the grid is on the device, VoxelGrid::pointVoxel on
/// either. @note Synchronizes with `stream`.
VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop,
                       StreamView stream);
} // namespace cuda

} // namespace scanloupe
