#pragma once
// Declares the CPU's computation of each kind of field.
#include "kernels/core/cost.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_memory.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Each fills in bricks, values and cells of a field whose lattice is set, and calls `check`, unless it is
/// empty, with the number of bricks before it fills them. @throws KernelError; Cancelled
void fillOccupancy(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                   const BrickCheck& check, ScalarField& field, StepTimer& steps,
                   const std::stop_token& stop);
void fillDensity(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                 const BrickCheck& check, ScalarField& field, StepTimer& steps, const std::stop_token& stop);
/// Reuses unchanged parts of `earlier`, unless that is null, and fills in the trace, completely if
/// `keepsTrace` is set for the next call.
void fillSignedDistance(const VoxelGrid& voxels, VoxelBricks bricks, const FieldLayout& layout,
                        const FieldParams& params, const BrickCheck& check, const PreviousDistance* earlier,
                        ScalarField& field, StepTimer& steps, DistanceTrace& trace, bool keepsTrace,
                        const std::stop_token& stop);

} // namespace scanloupe::cpu
