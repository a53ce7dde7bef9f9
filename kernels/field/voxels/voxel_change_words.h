#pragma once
// Declares the results of both backends for each brick, and their conversion into a list of voxels.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/voxels/surface_voxels.h"

namespace scanloupe {

/// Words of the bricks in which voxels may change. Without current voxels, the last three are empty.
struct ChangeWords {
    std::span<const std::uint64_t> added;     ///< [bricks, 8]
    std::span<const std::uint64_t> removed;   ///< [bricks, 8]
    std::span<const std::uint64_t> there;     ///< [bricks, 8]
    std::span<const std::uint32_t> rowBegins; ///< [bricks, 64] begin of each row in the current voxels
};

/// @throws Cancelled
VoxelChange voxelChangeOf(const SurfaceVoxelSource& source, const ChangeWords& words,
                          const std::stop_token& stop);

} // namespace scanloupe
