#pragma once
// Declares surfels: a tangent plane for each voxel, through its mean, with a normal to the outside.
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_memory.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Fills in the normals of a trace, whose bricks are known, and returns the number of voxels whose normals
/// neither a sensor nor the file could orient. Uses the file's normals if it has them; otherwise estimates
/// them from the covariance of the means nearby, oriented towards the sensor if its position is known,
/// otherwise like their neighbours. `memory`: of the same voxels. @throws KernelError; Cancelled
std::uint64_t makeSurfels(const VoxelGrid& voxels, const Support& support, const NormalSource& source,
                          const DistanceMemory& memory, DistanceTrace& trace, const std::stop_token& stop);

/// Flips normals so that neighbours agree, along a spanning tree of the pairs that agree best (after Hoppe et
/// al., Surface reconstruction from unorganized points, 1992); each connected component is then oriented
/// outwards as a whole, or upwards when it has no clear outside. Voxels with `fixed` set are not changed.
/// @throws KernelError; Cancelled
void propagateOrientation(const VoxelGrid& voxels, const VoxelBricks& bricks,
                          std::span<const std::uint32_t> around, std::span<const std::uint8_t> fixed,
                          std::span<Vec3f> normals, const std::stop_token& stop);

} // namespace scanloupe::cpu
