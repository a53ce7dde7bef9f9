// Computes the field on the device if its memory allows, else on the host.
#include "engine/stages/field.h"

#include "engine/stages/attributes.h"
#include "engine/stages/placement.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"
#include "kernels/field/distance/distance_memory.h"
#include "kernels/field/operators.h"

#include <algorithm>
#include <optional>

namespace scanloupe {

namespace {

/// The mean vectors of voxels where `on` computes. They live as long as the voxels' attributes.
VectorColumns vectorsOf(const std::optional<VectorAttributes>& components, const VoxelAttributes& voxels,
                        const Execution& on) {
    VectorColumns columns;
    if (!components)
        return columns;
    voxels.prepare(*components, on);
    const auto [x, y, z] = *components;
    columns.x = voxels.on(on, *x)->means.data();
    columns.y = voxels.on(on, *y)->means.data();
    columns.z = voxels.on(on, *z)->means.data();
    columns.offset = Vec3d{x->min(), y->min(), z->min()}.as<float>();
    return columns;
}

FieldParams paramsOf(const StageRun& run, const Execution& on) {
    FieldParams params{*run.recipe->field, fieldRadius(run), {}};
    if (params.kind != FieldKind::signedDistance)
        return params;
    const VoxelAttributes& attributes = *run.taken<VoxelizeStage>().attributes;
    const Vec3d origin = run.cloud->origin();
    NormalSource& normals = params.normals;
    normals.normals = vectorsOf(normalsOf(*run.cloud), attributes, on);
    normals.sensors = vectorsOf(sensorsOf(*run.cloud), attributes, on);
    normals.sensors.offset = normals.sensors.offset - origin.as<float>();
    if (run.recipe->sensor)
        normals.sensor = (*run.recipe->sensor - origin).as<float>();
    return params;
}

DeviceOrHost<ScalarField> fieldOfVolume(const StageRun& run) {
    const std::span<const float> values = run.volume->values.span();
    const LatticeShape& lattice = run.volume->lattice;
    if (values.empty())
        return onDeviceOrHost(run, true, [&](const Execution& on) { return emptyField(lattice, on); });
    constexpr bool clampBorder = true; // the border makes as many cells as samples
    const bool insideBelow = run.recipe->inside == InsideSide::below;
    return onDeviceOrHost(run, true, [&](const Execution& on) {
        return volumeField(values, lattice, clampBorder, insideBelow, on);
    });
}

double densityIso(const StageRun& run) {
    constexpr std::size_t sample = 1 << 14; // voxels; their mean has an error of a few per cent
    const DeviceOrHost<VoxelGrid>& voxels = run.taken<VoxelizeStage>().grid;
    const DeviceOrHost<ScalarField>& field = run.taken<FieldStage>().field;
    const std::size_t stride = chunkCount(voxels->size(), std::min(voxels->size(), sample));
    const Execution on = executionOf(run, field.onDevice());
    Buffer<float> values = valuesAtVoxels(inputFor(run, field, on), inputFor(run, voxels, on), stride, on);
    if (on.onDevice())
        values = values.copyTo(MemorySpace::host, *on.device);
    double sum = 0;
    for (const float value : values.span())
        sum += double(value);
    // a third of the mean density of occupied voxels: most voxels are inside, stray points are not
    return sum / double(values.size()) / 3;
}

} // namespace

float fieldRadius(const StageRun& run) {
    return run.isVolume() ? 0.0f : float(*run.recipe->radius * run.detail.coarsening);
}

ComputedField FieldStage::compute(const StageRun& run) {
    ComputedField result;
    if (run.isVolume()) {
        result.field = fieldOfVolume(run);
        return result;
    }
    const DeviceOrHost<VoxelGrid>& grid = run.taken<VoxelizeStage>().grid;
    const ComputedField* last = run.last<FieldStage>();
    result.field = onDeviceOrHost(run, grid.onDevice(), [&](const Execution& on) {
        const VoxelGrid& voxels = inputFor(run, grid, on);
        const FieldParams params = paramsOf(run, on);
        const auto check = [&](std::uint64_t bricks) { requireFieldMemory(run, voxels, bricks); };
        if (on.onDevice() || !run.wants(Stage::edit) || params.kind != FieldKind::signedDistance)
            return computeField(voxels, params, on, check);
        std::optional<cpu::EarlierDistance> earlier;
        if (last && last->trace)
            earlier.emplace(
                cpu::EarlierDistance{last->voxels.host(), last->params, *last->trace, last->field.host()});
        auto trace = std::make_shared<cpu::DistanceTrace>();
        ScalarField field =
            cpu::computeField(voxels, params, on.stop, check, earlier ? &*earlier : nullptr, trace.get());
        if (trace->changed)
            result.change = {last->field.identity(), *std::move(trace->changed)};
        trace->changed.reset();
        result.voxels = grid;
        result.attributes = run.taken<VoxelizeStage>().attributes;
        result.params = params;
        result.trace = std::move(trace);
        return field;
    });
    return result;
}

void FieldStage::describe(StageTiming& timing, const StageRun& run, const Result& result) {
    const DeviceOrHost<ScalarField>& field = result.field;
    if (run.isVolume() || result.trace) // no kernel for SYCL
        describePlace(timing, run, field);
    else
        describeSyclPlace(timing, run, field);
    timing.bytes = field->bytes() + (result.trace ? result.trace->bytes() : 0);
    timing.counts = {{"bricks", field->brickCount()}, {"normals_guessed", field->normalsGuessed}};
}

double AutoIsoStage::compute(const StageRun& run) {
    const DeviceOrHost<ScalarField>& field = run.taken<FieldStage>().field;
    switch (field->kind) {
    case FieldKind::occupancy:
        return 0.5;
    case FieldKind::signedDistance:
        return 0;
    case FieldKind::volume:
        return 0.5 * (double(field->minValue) + double(field->maxValue));
    case FieldKind::density:
        break;
    }
    return densityIso(run);
}

} // namespace scanloupe
