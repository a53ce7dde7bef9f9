#pragma once
// Which cells may carry surface of the signed distance, and which nodes and bricks they need.
#include "kernels/field/scalar_field.h"
#include "kernels/field/voxel_bricks.h"

#include <stop_token>

namespace scanloupe::cpu {

struct DistanceCells {
    Buffer<std::uint64_t> keys;     ///< [B] bricks that have such nodes
    Buffer<std::uint64_t> cells;    ///< [B, 8]
    Buffer<std::uint64_t> occupied; ///< [B, 8] those of them that hold points
    Buffer<std::uint64_t> nodes; ///< [B, 8] corners of those cells, and of cells that closePinholes may add
};

/// Occupied voxels, and empty ones that close gaps of one voxel: with two occupied ones among the 26 around,
/// at places p and q from it with dot(p, q) < 0. Either one of these shares a face with it and four in all
/// are occupied, as at the end of a missing row; or eight in all are, as in the layer beside a flat patch,
/// whose surface may lie on the border of both layers. So nothing grows past the rim of what was seen, and
/// scattered voxels do not grow together.
/// @throws KernelError; Cancelled
DistanceCells distanceCells(const VoxelBricks& voxels, Vec3i gridDims, const std::stop_token& stop);

/// Adds the cells without points in which the surface at 0 only closes a hole: each face that it crosses
/// belongs to a cell that carries surface already, or to another that is added. Such holes are where it just
/// clips an empty voxel. Then takes away the cells without points at the surface's end: there is no gap there
/// that they could close, and what they show is a guess.
/// @throws KernelError; Cancelled
void closePinholes(ScalarField& field, const Buffer<std::uint64_t>& occupied, const std::stop_token& stop);

} // namespace scanloupe::cpu
