#pragma once
// Declares what both backends find in each brick, and how it becomes a list of voxels.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/voxels/surface_voxels.h"

namespace scanloupe {

/// Words of the bricks in which voxels may change. Without voxels that are there, the last three are empty.
struct ChangeWords {
    std::span<const std::uint64_t> added;     ///< [bricks, 8]
    std::span<const std::uint64_t> removed;   ///< [bricks, 8]
    std::span<const std::uint64_t> there;     ///< [bricks, 8]
    std::span<const std::uint32_t> rowBegins; ///< [bricks, 64] where rows begin in the voxels that are there
};

/// @throws Cancelled
VoxelChange voxelChangeOf(const SurfaceVoxelSource& source, const ChangeWords& words,
                          const std::stop_token& stop);

} // namespace scanloupe
