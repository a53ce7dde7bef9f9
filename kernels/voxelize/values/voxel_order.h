#pragma once
// Orders voxels by their first points, and keeps a limited number of them in that order, like hard
// voxelization in object detectors.
#include "kernels/core/execution.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"

#include <cstdint>
#include <span>
#include <stop_token>
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

namespace cpu {
/// Returns the index of the first point of each voxel, [V]; every voxel must have a point. @throws
/// KernelError when out of memory; Cancelled
Buffer<std::uint32_t> firstPoints(const VoxelMembers& members, const std::stop_token& stop);
/// Removes all voxels that are not in `kept` from a grid without features and modes, except from its
/// statistics and from VoxelGrid::pointVoxel, see moveToKept(). @throws KernelError; Cancelled
void keepVoxels(VoxelGrid& grid, const KeptVoxels& kept, const std::stop_token& stop);
/// Replaces the voxel of each point by its index among the kept voxels, or kNoVoxel. @throws Cancelled.
void moveToKept(std::span<std::uint32_t> pointVoxel, const KeptVoxels& kept, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::firstPoints; all data is on the device. Asynchronous.
Buffer<std::uint32_t> firstPoints(const VoxelMembers& members, StreamView stream);
/// Same as cpu::keepVoxels for a grid on the device. @note Synchronizes.
void keepVoxels(VoxelGrid& grid, const KeptVoxels& kept, StreamView stream);
/// Same as cpu::moveToKept on the device. @note Synchronizes.
void moveToKept(Buffer<std::uint32_t>& pointVoxel, const KeptVoxels& kept, StreamView stream);
} // namespace cuda

} // namespace scanloupe
