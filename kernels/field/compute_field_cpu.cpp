// Computes a field from voxels on the CPU: its lattice, its bricks, and the values for its kind.
#include "kernels/core/cost.h"
#include "kernels/field/kinds/field_kinds.h"

namespace scanloupe::cpu {

ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         const BrickCheck& check, const PreviousDistance* earlier, DistanceTrace* trace) {
    const WallTimer timer;
    const FieldLayout layout = layoutOf(voxels, params);
    ScalarField field;
    StepTimer steps(field.cost.steps);
    field.kind = params.kind;
    field.insideBelow = params.kind == FieldKind::signedDistance;
    field.lattice = layout.lattice;
    field.brickDims = coveringBricks(field.lattice.dims);
    VoxelBricks bricks = groupVoxels(voxels, field.brickDims, layout.shift, stop);
    steps.end("group");
    DistanceTrace unused;
    if (params.kind == FieldKind::occupancy)
        fillOccupancy(voxels, bricks, layout, check, field, steps, stop);
    else if (params.kind == FieldKind::density)
        fillDensity(voxels, bricks, layout, check, field, steps, stop);
    else
        fillSignedDistance(voxels, std::move(bricks), layout, params, check, earlier, field, steps,
                           trace ? *trace : unused, trace != nullptr, stop);
    field.cost.wallMs = timer.elapsedMs();
    field.cost.bytes = field.bytes();
    return field;
}

} // namespace scanloupe::cpu
