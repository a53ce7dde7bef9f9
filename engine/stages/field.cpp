// Computes the field on the device if its memory allows, else on the host.
#include "engine/stages/field.h"

#include "engine/stages/placement.h"
#include "engine/stages/upload.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"
#include "kernels/field/operators.h"

#include <algorithm>

namespace scanloupe {

namespace {

FieldParams paramsOf(const StageRun& run) {
    const KernelPoints& points = *run.taken<UploadStage>().host;
    const Vec3d origin = run.cloud->origin();
    FieldParams params{*run.recipe->field, fieldRadius(run), {}};
    const auto offsets = [&](int channel) {
        const std::size_t first = std::size_t(channel) - 3;
        const auto at = [&](std::size_t c) { return float(points.channels[first + c].offset); };
        return Vec3f{at(0), at(1), at(2)};
    };
    // channels of a vector are consecutive only if all three attributes exist
    const auto tripleChannel = [&](const char* x, const char* y, const char* z) {
        const int first = points.channelOf(x);
        return first >= 0 && points.channelOf(y) == first + 1 && points.channelOf(z) == first + 2 ? first
                                                                                                  : -1;
    };
    NormalSource& normals = params.normals;
    normals.normalChannel = tripleChannel("normal_x", "normal_y", "normal_z");
    if (normals.normalChannel >= 0)
        normals.normalOffset = offsets(normals.normalChannel);
    normals.sensorChannel = tripleChannel("sensor_x", "sensor_y", "sensor_z");
    if (normals.sensorChannel >= 0)
        normals.sensorOffset = offsets(normals.sensorChannel) - origin.as<float>();
    if (params.kind == FieldKind::signedDistance && run.recipe->sensor)
        normals.sensor = (*run.recipe->sensor - origin).as<float>();
    return params;
}

DeviceOrHost<ScalarField> fieldOfVolume(const StageRun& run) {
    const std::span<const float> values = run.volume->values.span();
    const LatticeShape& lattice = run.volume->lattice;
    constexpr bool clampBorder = true, insideBelow = false; // the border makes as many cells as samples
    return onDeviceOrHost(run, true, [&](const Execution& on) {
        return volumeField(values, lattice, clampBorder, insideBelow, on);
    });
}

double densityIso(const StageRun& run) {
    constexpr std::size_t sample = 1 << 14; // voxels; their mean has an error of a few per cent
    const DeviceOrHost<VoxelGrid>& voxels = run.taken<VoxelizeStage>();
    const DeviceOrHost<ScalarField>& field = run.taken<FieldStage>();
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

DeviceOrHost<ScalarField> FieldStage::compute(const StageRun& run) {
    if (run.isVolume())
        return fieldOfVolume(run);
    const FieldParams params = paramsOf(run);
    const DeviceOrHost<VoxelGrid>& grid = run.taken<VoxelizeStage>();
    return onDeviceOrHost(run, grid.onDevice(), [&](const Execution& on) {
        const VoxelGrid& voxels = inputFor(run, grid, on);
        if (!on.onDevice())
            requireFieldMemory(run, voxels, cpu::countBricks(voxels, params, run.stop));
        return computeField(voxels, params, on);
    });
}

void FieldStage::describe(StageTiming& timing, const StageRun& run, const Result& field) {
    describePlace(timing, run, field);
    timing.bytes = field->bytes();
    timing.counts = {{"bricks", field->brickCount()}, {"normals_guessed", field->normalsGuessed}};
}

double AutoIsoStage::compute(const StageRun& run) {
    const DeviceOrHost<ScalarField>& field = run.taken<FieldStage>();
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
