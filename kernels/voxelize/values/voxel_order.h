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

/// The order of voxels by which a limit selects the voxels to keep.
enum class VoxelOrder : std::uint8_t {
    key,        ///< ascending by z, y, x of the cell
    firstPoint, ///< ascending by the index of their first point in the cloud, like hard voxelization of
                ///< spconv and mmdet3d
};

/// The kept voxels of a grid; both lists are in the order of the keys.
struct KeptVoxels {
    std::vector<std::uint32_t> voxels; ///< [V'] indices of the kept voxels in the grid
    std::vector<std::uint32_t> places; ///< [V] index of each voxel among the kept voxels, or kNoVoxel
};

/// Selects the `most` voxels with the lowest first points. @param firsts [V] index of each voxel's first
/// point; distinct
KeptVoxels voxelsOfFirstPoints(std::span<const std::uint32_t> firsts, std::size_t most);

/// Returns the indices of the voxels, ordered by their first points. @param firsts [V] index of each voxel's
/// first point; distinct
std::vector<std::uint32_t> orderByFirstPoint(std::span<const std::uint32_t> firsts);

/// Keeps the `most` voxels with the lowest first points, and counts the dropped ones in the statistics. The
/// grid must have VoxelGrid::pointVoxel, which may be on the host even if the voxels are on the device, and
/// no features. @throws KernelError; Cancelled @note Synchronizes with the device of the grid.
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
