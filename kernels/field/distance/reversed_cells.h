#pragma once
// Declares the removal of cells in which the signed distance changes its sign although no surface was
// scanned.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// The voxels and normals that the nodes of a signed distance were computed from.
struct GatheredSurfels {
    const VoxelBricks& bricks;
    std::span<const Vec3f> normals;        ///< [V] unit normals
    std::span<const std::uint32_t> around; ///< [bricks of the field, 27] indices into `bricks`
};

/// Removes the cells where the distance decreases along the normal of the cell's voxel; in an empty cell,
/// along the normals of the voxels around it. This happens half way between two sides of a thin wall whose
/// normals point the same way because it is unknown which side is outside: between both sides, the distance
/// from one side changes to the distance from the other.
/// @param around [B, 27] neighbours of the field's bricks @throws Cancelled
void removeReversedCells(ScalarField& field, const GatheredSurfels& surfels,
                         std::span<const std::uint32_t> around, const std::stop_token& stop);

} // namespace scanloupe::cpu
