#pragma once
// Finds the mode of each voxel: the most frequent class of its points, for attributes whose mean is
// meaningless.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// A classification of points: one class per point, as an index in an ascending list of classes.
struct CategoryView {
    const std::uint32_t* codes = nullptr; ///< [N] class of each point, less than `classes`
    std::uint32_t classes = 0;            ///< K, number of classes
};

/// The voxel of each point, see VoxelGrid::pointVoxel.
struct VoxelMembers {
    const std::uint32_t* pointVoxel = nullptr; ///< [N] voxel of each point, less than `voxels`, or kNoVoxel
    std::size_t count = 0;                     ///< N, number of points
    std::size_t voxels = 0;                    ///< V, number of voxels
};

namespace cpu {
/// Returns, for each of C categories, the most frequent class of each voxel's points, [C, V]; among equally
/// frequent classes the lowest index. Sorts the points by voxel once, which temporarily takes 16 bytes per
/// point.
/// @throws KernelError for N or V >= 2^32 - 1, and when out of memory; Cancelled
Buffer<std::uint32_t> voxelModes(const VoxelMembers& members, std::span<const CategoryView> categories,
                                 const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::voxelModes, with an identical result; all data is on the device. For each category, keys of
/// voxel and class are sorted, which temporarily takes 8 bytes per point, or 16 if a key has more than 32
/// bits. Asynchronous.
Buffer<std::uint32_t> voxelModes(const VoxelMembers& members, std::span<const CategoryView> categories,
                                 const std::stop_token& stop, StreamView stream);
} // namespace cuda

/// Validates the arguments of voxelModes(). @throws KernelError for more points or voxels than 32-bit indices
/// can distinguish; Fault for missing data
void checkModes(const VoxelMembers& members, std::span<const CategoryView> categories);

} // namespace scanloupe
