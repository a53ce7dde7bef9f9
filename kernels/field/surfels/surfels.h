#pragma once
// Declares surfels: for each voxel, a tangent plane through its mean with an outward normal.
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_memory.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Computes the normals of a trace whose bricks are set, and returns the number of voxels whose normals could
/// be oriented neither by a sensor nor by the file. Uses the file's normals if available. Otherwise estimates
/// normals from the covariance of the means nearby. Estimated normals are oriented towards the sensor if its
/// position is known, otherwise consistently with their neighbours. `memory`: results of a previous
/// computation that may be reused. @throws KernelError; Cancelled
std::uint64_t makeSurfels(const VoxelGrid& voxels, const Support& support, const NormalSource& source,
                          const DistanceMemory& memory, DistanceTrace& trace, const std::stop_token& stop);

/// Flips normals so that neighbours agree, along a spanning tree of the pairs that agree best (after Hoppe et
/// al., Surface reconstruction from unorganized points, 1992). Then orients each connected component outwards
/// as a whole, or upwards if it has no clear outside. Voxels with `fixed` set are not changed.
/// @throws KernelError; Cancelled
void propagateOrientation(const VoxelGrid& voxels, const VoxelBricks& bricks,
                          std::span<const std::uint32_t> around, std::span<const std::uint8_t> fixed,
                          std::span<Vec3f> normals, const std::stop_token& stop);

} // namespace scanloupe::cpu
