#pragma once
// Declares the CPU's computation of each kind of field.
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_memory.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Bricks of an occupancy or density field: all nodes that gather something, and a rim of zeros around them.
Buffer<std::uint64_t> splatBricks(const VoxelBricks& bricks, const Support& support,
                                  const std::stop_token& stop);

/// Each fills in bricks, values and cells of a field whose lattice is set. @throws KernelError; Cancelled
void fillOccupancy(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                   ScalarField& field, const std::stop_token& stop);
void fillDensity(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                 ScalarField& field, const std::stop_token& stop);
/// Takes over what is the same in `earlier`, unless that is null, and fills in the trace for the next one.
void fillSignedDistance(const VoxelGrid& voxels, VoxelBricks bricks, const FieldLayout& layout,
                        const FieldParams& params, const EarlierDistance* earlier, ScalarField& field,
                        DistanceTrace& trace, const std::stop_token& stop);

} // namespace scanloupe::cpu
