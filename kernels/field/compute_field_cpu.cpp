// Computes a field of voxels on the CPU: its lattice, its bricks, and the values of its kind.
#include "kernels/core/cost.h"
#include "kernels/field/kinds/field_kinds.h"

namespace scanloupe::cpu {

ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         const BrickCheck& check, const EarlierDistance* earlier, DistanceTrace* trace) {
    const WallTimer timer;
    const FieldLayout layout = layoutOf(voxels, params);
    ScalarField field;
    field.kind = params.kind;
    field.insideBelow = params.kind == FieldKind::signedDistance;
    field.lattice = layout.lattice;
    field.brickDims = coveringBricks(field.lattice.dims);
    VoxelBricks bricks = groupVoxels(voxels, field.brickDims, layout.shift, stop);
    DistanceTrace unused;
    if (params.kind == FieldKind::occupancy)
        fillOccupancy(voxels, bricks, layout, check, field, stop);
    else if (params.kind == FieldKind::density)
        fillDensity(voxels, bricks, layout, check, field, stop);
    else
        fillSignedDistance(voxels, std::move(bricks), layout, params, check, earlier, field,
                           trace ? *trace : unused, trace != nullptr, stop);
    field.cost = {timer.elapsedMs(), 0.0, field.bytes()};
    return field;
}

} // namespace scanloupe::cpu
