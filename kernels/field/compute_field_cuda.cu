// Computes a field from voxels on the device: checks the input, computes the values for its kind, their range
// and the cost.
#include "kernels/field/core/cuda_gather.cuh"
#include "kernels/field/kinds/cuda_field_kinds.cuh"

namespace scanloupe::cuda {

namespace {

FieldJob jobFor(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                StreamView stream) {
    const FieldLayout layout = layoutOf(voxels, params);
    if (voxels.keys.space() != MemorySpace::device)
        throw Fault("a field is to be made on the device of voxels that lie on the host");
    return {voxels, layout, coveringBricks(layout.lattice.dims), stop, stream};
}

FieldCounters run(const FieldJob& job, const FieldParams& params, ScalarField& field) {
    auto counters = job.zeros<FieldCounters>(1);
    if (params.kind == FieldKind::occupancy)
        return fillOccupancy(job, counters, field);
    if (params.kind == FieldKind::density)
        return fillDensity(job, counters, field);
    return fillSignedDistance(job, params.normals, counters, field);
}

} // namespace

void setValueRange(const FieldCounters& counters, ScalarField& field) {
    if (counters.max == 0)
        return;                                                     // no node has a finite value
    field.minValue = fromOrderedBits(~counters.invertedMin) + 0.0f; // adding 0 turns -0 into +0
    field.maxValue = fromOrderedBits(counters.max) + 0.0f;
}

ScalarField computeField(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                         StreamView stream) {
    const WallTimer timer;
    const FieldJob job = jobFor(voxels, params, stop, stream);
    EventTimer deviceTimer(stream);
    ScalarField field;
    field.kind = params.kind;
    field.insideBelow = params.kind == FieldKind::signedDistance;
    field.lattice = job.layout.lattice;
    field.brickDims = job.brickDims;
    const FieldCounters counters = run(job, params, field);
    setValueRange(counters, field);
    field.normalsGuessed = counters.guessed;
    deviceTimer.stop();
    field.cost.deviceMs = deviceTimer.elapsedMs();
    field.cost.bytes = field.bytes();
    field.cost.wallMs = timer.elapsedMs();
    return field;
}

} // namespace scanloupe::cuda
