#pragma once
// Computes a field of voxels with SYCL: its lattice, its bricks, and the values of the requested kind of
// field.
#include "kernels/core/cost.h"
#include "kernels/sycl/chain/signed_distance.h"
#include "kernels/sycl/chain/splat_fields.h"

namespace scanloupe::sycl_chain {

/// Computes the field around occupied voxels, identical to the result of cpu::computeField. @note
/// Synchronizes.
/// @param check called with the number of bricks before their values are computed; may be empty
/// @throws as cpu::computeField; SyclFailure
template <class Q>
ScalarField computeField(Q& q, const VoxelGrid& voxels, const FieldParams& params, const BrickCheck& check) {
    const WallTimer timer;
    const FieldInput<Q> input(q, voxels, params);
    ScalarField field;
    field.kind = params.kind;
    field.insideBelow = params.kind == FieldKind::signedDistance;
    field.lattice = input.layout.lattice;
    field.brickDims = input.brickDims;
    if (params.kind == FieldKind::occupancy)
        fillOccupancy(q, input, check, field);
    else if (params.kind == FieldKind::density)
        fillDensity(q, input, check, field);
    else
        fillSignedDistance(q, input, params.normals, check, field);
    field.cost = {timer.elapsedMs(), 0.0, field.bytes(), true};
    return field;
}

} // namespace scanloupe::sycl_chain
