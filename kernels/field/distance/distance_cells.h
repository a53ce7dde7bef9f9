#pragma once
// Declares the selection of the cells that may carry surface of the signed distance, and of the nodes and
// bricks that they need.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

struct DistanceCells {
    Buffer<std::uint64_t> keys;     ///< [B] bricks that have such nodes
    Buffer<std::uint64_t> cells;    ///< [B, 8]
    Buffer<std::uint64_t> occupied; ///< [B, 8] those of `cells` that contain points
    Buffer<std::uint64_t> nodes; ///< [B, 8] corners of those cells, and of cells that closePinholes may add
};

/// Cells of an earlier grid of the same shape.
struct PreviousCells {
    const DistanceCells& cells;
    std::span<const std::uint64_t> changed; ///< ascending keys of bricks where the voxels have changed
};

/// Selects occupied voxels, and empty voxels that close gaps of one voxel. Such an empty voxel has two
/// occupied ones among its 26 neighbours, at offsets p and q with dot(p, q) < 0. Either one of these shares a
/// face with it and at least four neighbours are occupied, as at the end of a missing row; or at least eight
/// are, as in the layer next to a flat patch, whose surface may lie on the border of both layers. So no
/// surface grows past the rim of the scanned one, and scattered voxels do not grow together.
/// @param earlier cells of nearly the same voxels, which are reused where the voxels are the same; null: none
/// @throws KernelError; Cancelled
DistanceCells distanceCells(const VoxelBricks& voxels, Vec3i gridDims, const PreviousCells* earlier,
                            const std::stop_token& stop);

/// Which nodes have a value, and which of these are inside.
struct NodeBits {
    Buffer<std::uint64_t> known, inside; ///< [B, 8]
};

/// Closes pinholes, places where the surface at 0 just clips an empty voxel: adds the cells without points in
/// which each face that the surface crosses belongs to a cell with surface, or to another added one. Then
/// removes the cells without points at the rim of the surface: they close no gap there, and their surface is
/// uncertain. @param around [B, 27] the field's own bricks @throws KernelError; Cancelled
void closePinholes(ScalarField& field, const Buffer<std::uint64_t>& occupied, const NodeBits& nodes,
                   std::span<const std::uint32_t> around, const std::stop_token& stop);

} // namespace scanloupe::cpu
