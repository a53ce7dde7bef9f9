#pragma once
// Declares the computation of each kind of field on the CPU.
#include "kernels/core/cost.h"
#include "kernels/field/core/field_support.h"
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/core/voxel_bricks.h"
#include "kernels/field/distance/distance_memory.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Each of these functions fills in the bricks, values and cells of a field whose lattice is set. Before
/// filling the bricks it calls `check`, unless empty, with their number. @throws KernelError; Cancelled
void fillOccupancy(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                   const BrickCheck& check, ScalarField& field, StepTimer& steps,
                   const std::stop_token& stop);
void fillDensity(const VoxelGrid& voxels, const VoxelBricks& bricks, const FieldLayout& layout,
                 const BrickCheck& check, ScalarField& field, StepTimer& steps, const std::stop_token& stop);
/// Computes a signed distance. Reuses unchanged parts of `earlier` unless it is null, and records the trace;
/// `keepsTrace` records everything that the next call can reuse.
void fillSignedDistance(const VoxelGrid& voxels, VoxelBricks bricks, const FieldLayout& layout,
                        const FieldParams& params, const BrickCheck& check, const PreviousDistance* earlier,
                        ScalarField& field, StepTimer& steps, DistanceTrace& trace, bool keepsTrace,
                        const std::stop_token& stop);

} // namespace scanloupe::cpu
