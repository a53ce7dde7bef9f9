// Fields on the device: checks, the choice of a kind, and what is told about it.
#include "kernels/field/cuda_field_kinds.cuh"
#include "kernels/field/cuda_gather.cuh"

namespace scanloupe::cuda {

namespace {

FieldJob jobFor(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                StreamView stream) {
    const FieldLayout layout = layoutOf(voxels, params);
    if (voxels.keys.space() != MemorySpace::device)
        throw Fault("a field is to be made on the device of voxels that lie on the host");
    return {voxels, layout, coveringBricks(layout.lattice.dims), stop, stream};
}

FieldTally run(const FieldJob& job, const FieldParams& params, ScalarField& field) {
    auto tally = job.zeros<FieldTally>(1);
    if (params.kind == FieldKind::occupancy)
        return fillOccupancy(job, tally, field);
    if (params.kind == FieldKind::density)
        return fillDensity(job, tally, field);
    return fillSignedDistance(job, params.normals, tally, field);
}

} // namespace

void tellExtent(const FieldTally& tally, ScalarField& field) {
    if (tally.most == 0)
        return;                                               // no finite value
    field.minValue = fromOrderedBits(~tally.notLeast) + 0.0f; // not -0
    field.maxValue = fromOrderedBits(tally.most) + 0.0f;
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
    const FieldTally tally = run(job, params, field);
    tellExtent(tally, field);
    field.normalsGuessed = tally.guessed;
    deviceTimer.stop();
    field.cost.deviceMs = deviceTimer.elapsedMs();
    field.cost.bytes = field.bytes();
    field.cost.wallMs = timer.elapsedMs();
    return field;
}

std::uint64_t countBricks(const VoxelGrid& voxels, const FieldParams& params, const std::stop_token& stop,
                          StreamView stream) {
    const FieldJob job = jobFor(voxels, params, stop, stream);
    return params.kind == FieldKind::signedDistance ? countDistanceBricks(job) : countSplatBricks(job);
}

} // namespace scanloupe::cuda
