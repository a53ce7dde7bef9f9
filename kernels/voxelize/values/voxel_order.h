#pragma once
// Orders voxels by their first points, and keeps the first of them: the order of hard voxelization in
// detectors.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// The order of voxels in which a limit keeps the first ones.
enum class VoxelOrder : std::uint8_t {
    key,        ///< ascending by z, y, x
    firstPoint, ///< by their first points in the cloud, like hard voxelization of spconv and mmdet3d
};

/// The kept voxels of a grid, both ascending by key.
struct KeptVoxels {
    std::vector<std::uint32_t> voxels; ///< [V'] indices in the grid
    std::vector<std::uint32_t> places; ///< [V] index among the kept voxels, or kNoVoxel
};

/// The `most` voxels whose first points come first. @param firsts [V] distinct
KeptVoxels voxelsOfFirstPoints(std::span<const std::uint32_t> firsts, std::size_t most);

/// The indices of the voxels in the order of their first points. @param firsts [V] distinct
std::vector<std::uint32_t> orderByFirstPoint(std::span<const std::uint32_t> firsts);

/// Keeps the `most` voxels of a grid without features whose first points come first, and counts the dropped
/// ones in its statistics. Needs VoxelGrid::pointVoxel, which may are on the host even if the voxels are on
/// the device. @throws KernelError; Cancelled. @note Synchronizes with the device of the grid.
void keepFirstVoxels(VoxelGrid& grid, std::size_t most, const Execution& on);

/// [V] the index of the first point of each voxel; every voxel has one. All data lies where it computes.
/// Asynchronous on the device. @throws DeviceMemoryShort, KernelError; Cancelled
Buffer<std::uint32_t> firstPoints(HostQueue& q, const VoxelMembers& members);
Buffer<std::uint32_t> firstPoints(CudaQueue& q, const VoxelMembers& members);
inline Buffer<std::uint32_t> firstPoints(const VoxelMembers& members, const Execution& on) {
    return onQueue(on, [&](auto& q) { return firstPoints(q, members); });
}

/// Drops the other voxels of a grid without features and modes, except from its statistics and from
/// VoxelGrid::pointVoxel, see moveToKept(). @throws DeviceMemoryShort, KernelError; Cancelled
void keepVoxels(HostQueue& q, VoxelGrid& grid, const KeptVoxels& kept);
void keepVoxels(CudaQueue& q, VoxelGrid& grid, const KeptVoxels& kept);
/// Replaces the voxel of each point by its index among the kept voxels, or kNoVoxel. @throws as
/// keepVoxels.
void moveToKept(HostQueue& q, Buffer<std::uint32_t>& pointVoxel, const KeptVoxels& kept);
void moveToKept(CudaQueue& q, Buffer<std::uint32_t>& pointVoxel, const KeptVoxels& kept);

} // namespace scanloupe
