#pragma once
// A tangent plane for each voxel: through its mean, with a normal to the outside.
#include "kernels/field/field_support.h"
#include "kernels/field/voxel_bricks.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

struct Surfels {
    Buffer<Vec3f> normals;     ///< [V] unit
    std::uint64_t guessed = 0; ///< voxels whose normal had no sensor or file to turn it
};

/// Normals from the file where it has them, else from the covariance of the means nearby, turned to the
/// sensor where there is one, else as their neighbours are. `around`: [voxel bricks, 27]. @throws
/// KernelError; Cancelled
Surfels makeSurfels(const VoxelGrid& voxels, const VoxelBricks& bricks, std::span<const std::uint32_t> around,
                    const Support& support, const NormalSource& source, const std::stop_token& stop);

/// Turns normals so that neighbours agree, first along the pairs that agree best; each connected part is then
/// turned outwards as a whole, or upwards when it has no clear outside. Voxels with `fixed` set are not
/// touched.
/// @throws KernelError; Cancelled
void propagateOrientation(const VoxelGrid& voxels, const VoxelBricks& bricks,
                          std::span<const std::uint32_t> around, std::span<const std::uint8_t> fixed,
                          std::span<Vec3f> normals, const std::stop_token& stop);

} // namespace scanloupe::cpu
