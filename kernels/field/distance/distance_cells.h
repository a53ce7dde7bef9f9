#pragma once
// Declares the selection of the cells that may contain surface of a signed distance, and of their nodes and
// bricks.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

struct DistanceCells {
    Buffer<std::uint64_t> keys;     ///< [B] ascending keys of the bricks that have nodes
    Buffer<std::uint64_t> cells;    ///< [B, 8] cells that may contain surface
    Buffer<std::uint64_t> occupied; ///< [B, 8] the cells of `cells` that contain points
    Buffer<std::uint64_t> nodes; ///< [B, 8] corner nodes of these cells, and of cells that closePinholes may
                                 ///< add
};

/// Cells of a previous grid of the same shape.
struct PreviousCells {
    const DistanceCells& cells;
    std::span<const std::uint64_t> changed; ///< ascending keys of the bricks whose voxels have changed
};

/// Selects the cells that may contain surface: occupied voxels, and empty voxels that close gaps of one
/// voxel. Such an empty voxel has two occupied voxels among its 26 neighbours, at offsets p and q with dot(p,
/// q) < 0. In addition, one of these two conditions holds. First: p or q shares a face with the empty voxel,
/// and at least four neighbours are occupied, as at the end of a missing row. Second: at least eight
/// neighbours are occupied, as in the layer next to a flat patch whose surface may be on the border of both
/// layers. Therefore no surface grows beyond the rim of the scanned surface, and scattered voxels are not
/// connected.
/// @param earlier cells of nearly the same voxels, which are reused where the voxels are the same; null: none
/// @throws KernelError; Cancelled
DistanceCells distanceCells(const VoxelBricks& voxels, Vec3i gridDims, const PreviousCells* earlier,
                            const std::stop_token& stop);

/// Two bits per node: whether it has a value, and whether it is inside.
struct NodeBits {
    Buffer<std::uint64_t> known, inside; ///< [B, 8] each
};

/// Closes pinholes: places where the surface at 0 just clips an empty voxel. First adds cells without points
/// if each face that the surface crosses belongs to another cell with surface, or to another added cell. Then
/// removes the cells without points at the rim of the surface: they close no gap there, and their surface is
/// uncertain. @param around [B, 27] neighbours of the field's bricks @throws KernelError; Cancelled
void closePinholes(ScalarField& field, const Buffer<std::uint64_t>& occupied, const NodeBits& nodes,
                   std::span<const std::uint32_t> around, const std::stop_token& stop);

} // namespace scanloupe::cpu
