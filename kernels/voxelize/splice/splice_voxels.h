#pragma once
// Declares how voxels are added to and removed from a grid.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <vector>

namespace scanloupe {

/// Voxels to be added and removed. All lists ascend.
struct VoxelChange {
    std::vector<std::uint64_t> added; ///< keys that the grid does not have
    /// [added] indices of the voxels before which they are inserted; may repeat
    std::vector<std::uint32_t> addedAt;
    std::vector<std::uint32_t> removed; ///< indices of the removed voxels in the grid
};

/// The grid after a change. An added voxel has no points: its count is 0, and its mean the centre of its box.
/// Points of a removed voxel have no voxel. The grid lies where it computes, VoxelGrid::pointVoxel there or
/// on the host.
/// @throws KernelError for 2^32 - 1 voxels or more; DeviceMemoryShort; Cancelled. @note Synchronizes.
VoxelGrid spliceVoxels(HostQueue& q, const VoxelGrid& grid, const VoxelChange& change);
VoxelGrid spliceVoxels(CudaQueue& q, const VoxelGrid& grid, const VoxelChange& change);
inline VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const Execution& on) {
    return onQueue(on, [&](auto& q) { return spliceVoxels(q, grid, change); });
}

namespace detail {
/// [N] the new voxel of each point. @param places [V] new indices of the voxels, kNoVoxel for a removed one
Buffer<std::uint32_t> movedPoints(HostQueue& q, const Buffer<std::uint32_t>& pointVoxel,
                                  const Buffer<std::uint32_t>& places);
Buffer<std::uint32_t> movedPoints(CudaQueue& q, const Buffer<std::uint32_t>& pointVoxel,
                                  const Buffer<std::uint32_t>& places);
} // namespace detail

} // namespace scanloupe
