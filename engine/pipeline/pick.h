#pragma once
#include "engine/pipeline/pipeline.h"

#include <optional>
#include <vector>

namespace scanloupe {

/// What a pixel of a picture shows.
struct PickedPixel {
    std::uint32_t id = 0; ///< 0: nothing
    float depth = 0;      ///< metres along the view; infinite for nothing
};

/// Of a picture on the device this one pixel is copied, not all of them. @throws KernelError
PickedPixel pickPixel(const Picture& picture, int x, int y);

/// One voxel of a grid.
struct PickedVoxel {
    Vec3i cell;
    std::uint32_t points = 0;         ///< that were averaged
    std::vector<float> means;         ///< [3 + F] as VoxelGrid::means
    std::vector<std::uint32_t> modes; ///< [C] as VoxelGrid::modes
};

/// Of a grid on the device this one voxel is copied. @throws KernelError
PickedVoxel pickVoxel(const Resident<VoxelGrid>& grid, std::size_t voxel);

/// Which voxel lies in a cell, if any; a grid on the device is searched there, by some twenty keys.
/// @throws KernelError
std::optional<std::size_t> voxelInCell(const Resident<VoxelGrid>& grid, Vec3i cell);

} // namespace scanloupe
