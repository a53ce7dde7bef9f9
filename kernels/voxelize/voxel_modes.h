#pragma once
// Modes: the most frequent class of each voxel's points, for attributes of which a mean says nothing.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// One class a point, by its index in an ascending list of classes.
struct CategoryView {
    const std::uint32_t* codes = nullptr; ///< [N] each less than `classes`
    std::uint32_t classes = 0;            ///< K: how many there are
};

/// Which voxel each point lies in, see VoxelGrid::pointVoxel.
struct VoxelMembers {
    const std::uint32_t* pointVoxel = nullptr; ///< [N] less than `voxels`, or kNoVoxel
    std::size_t count = 0;                     ///< N
    std::size_t voxels = 0;                    ///< V
};

namespace cpu {
/// [C, V] of each of C categories the class that most points of a voxel have; of classes that as many have,
/// the first. The points are sorted by voxel once, which takes 16 bytes a point meanwhile.
/// @throws KernelError for N or V >= 2^32 - 1, and when memory is short; Cancelled.
Buffer<std::uint32_t> mostFrequent(const VoxelMembers& members, std::span<const CategoryView> categories,
                                   const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::mostFrequent, with the same result; all lies on the device. For each category keys of voxel and
/// class are sorted, which takes 8 bytes a point meanwhile, or 16 where such a key has more than 32 bits.
/// Asynchronous.
Buffer<std::uint32_t> mostFrequent(const VoxelMembers& members, std::span<const CategoryView> categories,
                                   const std::stop_token& stop, StreamView stream);
} // namespace cuda

/// @throws KernelError for more points or voxels than indices of 32 bits can tell apart; Fault for missing
/// data.
void checkModes(const VoxelMembers& members, std::span<const CategoryView> categories);

} // namespace scanloupe
