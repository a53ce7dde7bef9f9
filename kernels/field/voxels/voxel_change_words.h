#pragma once
// Declares the results of both backends per brick, and their conversion into a list of voxels.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/voxels/surface_voxels.h"

namespace scanloupe {

/// Changed voxels per brick, for the bricks in which voxels may change. If there are no current voxels, the
/// last three arrays are empty.
struct ChangeWords {
    std::span<const std::uint64_t> added;     ///< [bricks, 8] voxels to add
    std::span<const std::uint64_t> removed;   ///< [bricks, 8] voxels to remove
    std::span<const std::uint64_t> there;     ///< [bricks, 8] current voxels
    std::span<const std::uint32_t> rowBegins; ///< [bricks, 64] begin of each row in the list of current
                                              ///< voxels
};

/// Converts the words into lists of voxels. @throws Cancelled
VoxelChange voxelChangeOf(const SurfaceVoxelSource& source, const ChangeWords& words,
                          const std::stop_token& stop);

} // namespace scanloupe
