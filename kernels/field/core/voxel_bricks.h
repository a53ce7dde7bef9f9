#pragma once
// Declares occupied voxels grouped by brick, which fields gather from.
#include "kernels/core/buffer.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// The occupied voxels of one row of a brick.
struct VoxelRow {
    std::uint32_t first; ///< index of the voxel of the lowest set bit; the others follow it in the grid
    std::uint8_t mask;   ///< bit x: voxel x of the row is occupied
    std::uint8_t row;    ///< y + 8 z in the brick
};

/// Occupied voxels grouped by bricks of nodes. Voxel (0, 0, 0) of the grid is at node (shift, shift, shift).
struct VoxelBricks {
    Vec3i brickDims;
    Buffer<std::uint64_t> keys;      ///< [B] ascending brick keys
    Buffer<std::uint32_t> rowBegins; ///< [B + 1] begin of each brick's rows in `rows`
    Buffer<VoxelRow> rows;           ///< rows grouped by brick, ascending within each brick
};

namespace cpu {
/// Groups the grid's voxels by the bricks of a lattice of `brickDims` bricks. Voxel coordinates are shifted
/// up by `shift` on each axis. @throws KernelError; Cancelled
VoxelBricks groupVoxels(const VoxelGrid& voxels, Vec3i brickDims, int shift, const std::stop_token& stop);

/// Returns the ascending keys of the bricks that have a node within reach of an occupied voxel: up to `below`
/// nodes lower and `above` nodes higher along each axis, each at most 8. Bricks outside the lattice are
/// skipped.
/// @throws KernelError; Cancelled
Buffer<std::uint64_t> bricksInReach(const VoxelBricks& bricks, Vec3i below, Vec3i above,
                                    const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
