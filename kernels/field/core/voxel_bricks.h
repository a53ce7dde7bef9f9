#pragma once
// Declares the occupied voxels grouped by bricks, which fields gather from.
#include "kernels/core/buffer.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

/// Occupied voxels of one row of a brick.
struct VoxelRow {
    std::uint32_t first; ///< voxel of the lowest bit; the others follow it in the grid
    std::uint8_t mask;   ///< bit x: the voxel is occupied
    std::uint8_t row;    ///< y + 8 z within the brick
};

/// Occupied voxels by bricks of nodes: voxel (0, 0, 0) of the grid lies at node `shift`.
struct VoxelBricks {
    Vec3i brickDims;
    Buffer<std::uint64_t> keys;      ///< [B] ascending
    Buffer<std::uint32_t> rowBegins; ///< [B + 1] into `rows`
    Buffer<VoxelRow> rows;           ///< rows grouped by brick, ascending within each
};

namespace cpu {
/// Groups the grid's voxels by bricks of a lattice of `brickDims`, voxel coordinates moved up by `shift` on
/// each axis. @throws KernelError; Cancelled
VoxelBricks groupVoxels(const VoxelGrid& voxels, Vec3i brickDims, int shift, const std::stop_token& stop);

/// The bricks, ascending, that have a node within reach of an occupied voxel: up to `below` nodes lower and
/// `above` nodes higher on each axis, each at most 8. Bricks outside the lattice are left out.
/// @throws KernelError; Cancelled
Buffer<std::uint64_t> bricksInReach(const VoxelBricks& bricks, Vec3i below, Vec3i above,
                                    const std::stop_token& stop);
} // namespace cpu

} // namespace scanloupe
