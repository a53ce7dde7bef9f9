#pragma once
// Declares the removal of cells in which the signed distance changes its sign but no surface was seen.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// The surfels that the nodes of a signed distance were gathered from.
struct GatheredSurfels {
    const VoxelBricks& bricks;
    std::span<const Vec3f> normals;        ///< [V]
    std::span<const std::uint32_t> around; ///< [B of the field, 27] into `bricks`
};

/// Removes the cells where the distance falls along the normal of their voxel, or of the voxels around an
/// empty one. That is half way between two sides of a thin wall whose normals point the same way, since it is
/// unknown which side is outside: the distance from the one side has to turn into that from the other.
/// @param around [B, 27] the field's own bricks @throws Cancelled
void removeReversedCells(ScalarField& field, const GatheredSurfels& surfels,
                         std::span<const std::uint32_t> around, const std::stop_token& stop);

} // namespace scanloupe::cpu
