// Computes the field on the device if its memory allows, else on the host.
#include "engine/stages/field.h"

#include "engine/cloud/point_cloud.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "engine/stages/attributes.h"
#include "engine/stages/points/larger_voxels.h"
#include "engine/stages/voxelize.h"
#include "kernels/core/parallel.h"
#include "kernels/field/distance/distance_memory.h"
#include "kernels/field/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <optional>
#include <vector>

namespace scanloupe {

namespace {

bool isSignedDistance(const Recipe& recipe, bool isVolume) {
    return !isVolume && recipe.field == FieldKind::signedDistance;
}

/// Returns the mean vectors of the voxels in the memory space in which `on` computes. They are valid as long
/// as `voxels`.
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
    constexpr bool clampBorder = true; // the border has as many cells as samples along each axis
    const bool insideBelow = run.recipe->inside == InsideSide::below;
    return onDeviceOrHost(run, true, [&](const Execution& on) {
        return volumeField(values, lattice, clampBorder, insideBelow, on);
    });
}

double densityIso(const StageRun& run) {
    constexpr std::size_t sample = 1 << 14; // number of sampled voxels; their mean has an error of a few per
                                            // cent
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
    // a third of the mean density of occupied voxels: most voxels are inside the surface, isolated points are
    // not
    return sum / double(values.size()) / 3;
}

/// Returns the number of bricks that would contain these voxels if their edges were `factor` times as long,
/// without a border.
std::size_t occupiedBricks(const VoxelGrid& voxels, double factor) {
    const double edge = kBrickEdge * factor;
    std::vector<std::uint64_t> bricks(voxels.size());
    for (std::size_t v = 0; v < bricks.size(); ++v) {
        const Vec3i cell = voxels.shape.cell(voxels.keys[v]);
        const auto along = [&](int axis) { return std::uint64_t(double(cell[axis]) / edge); };
        bricks[v] = along(0) | along(1) << 21 | along(2) << 42; // coordinates of bricks fit into 21 bits
    }
    std::sort(bricks.begin(), bricks.end());
    return std::size_t(std::unique(bricks.begin(), bricks.end()) - bricks.begin());
}

/// Suggests a voxel size with which the field would fit in memory. Bricks are counted instead of
/// extrapolated, because scattered voxels have one brick each until they are large enough to share one.
std::string fittingVoxels(const StageRun& run, const VoxelGrid& voxels, std::uint64_t bytes) {
    const double wanted =
        0.7 * double(availableMemory(run)) / double(bytes) * double(occupiedBricks(voxels, 1));
    double factor = 1.2;
    while (double(occupiedBricks(voxels, factor)) > wanted && factor < 1e6)
        factor *= 1.25;
    return takeLargerVoxels(*run.recipe, factor);
}

/// Checks that a field of `bricks` bricks fits in memory. @throws HostMemoryShort
void requireFieldMemory(const StageRun& run, const VoxelGrid& voxels, std::uint64_t bricks) {
    RunSize size;
    size.voxels = double(voxels.size());
    size.bricks = double(bricks);
    const std::uint64_t bytes = FieldStage::bytes(size, *run.recipe).peak;
    if (!isMemoryShort(run, bytes))
        return;
    requireFit(
        run, {fmt::format("The field of {} bricks at a voxel size of {}", bricks, voxelSizeText(*run.recipe)),
              bytes, fittingVoxels(run, voxels, bytes)});
}

} // namespace

float fieldRadius(const StageRun& run) {
    return run.isVolume() ? 0.0f : float(*run.recipe->radius * run.detail.coarsening);
}

StageDeclaration FieldStage::declaration() {
    using enum Stage;
    return {.stage = field,
            .name = "field",
            .reads = {{"field", ofCloud},
                      {"radius", ofCloud},
                      {"sensor", isSignedDistance},
                      {"inside", ofVolume}},
            .takes = {{upload}, {edit}, {voxelize}},
            .label = "Field",
            .colour = 0x009e73,
            .bySycl = true};
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
        std::optional<cpu::PreviousDistance> earlier;
        if (last && last->trace)
            earlier.emplace(
                cpu::PreviousDistance{last->voxels.host(), last->params, *last->trace, last->field.host()});
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
    if (run.isVolume() || result.trace) // SYCL has no kernels for these cases
        describePlace(timing, run, field);
    else
        describeSyclPlace(timing, run, field);
    timing.bytes = field->bytes() + (result.trace ? result.trace->bytes() : 0);
    timing.counts = {{"bricks", field->brickCount()}, {"normals_guessed", field->normalsGuessed}};
}

void FieldStage::show(Snapshot& snapshot, const Result& field) {
    snapshot.field = field.field;
}

StageMemory FieldStage::bytes(const RunSize& size, const Recipe&) {
    // per voxel: the order by brick; for the signed distance also normals, sides and neighbours
    constexpr std::uint64_t perVoxel = 96;
    // per brick: two lists of the bricks around it, and masks of cells, nodes and closed pinholes
    constexpr std::uint64_t perBrick =
        2 * 27 * sizeof(std::uint32_t) + 7 * kBrickEdge * sizeof(std::uint64_t);
    const auto voxels = std::uint64_t(size.voxels), bricks = std::uint64_t(size.bricks);
    return {bricks * kBrickBytes, bricks * (kBrickBytes + perBrick) + voxels * perVoxel};
}

StageWork FieldStage::work(const RunSize& size, const Recipe& resolved) {
    const Vec3d edges = *resolved.voxelSize;
    const double radius = *resolved.radius / std::max({edges.x, edges.y, edges.z}); // radius in voxels
    switch (*resolved.field) {
    case FieldKind::density: // each voxel contributes to all nodes within its radius
        return {"density", size.voxels * std::pow(2 * std::max(radius, 1.0) + 1, 3), 3.6};
    case FieldKind::signedDistance:
        return {"distance", size.voxels, 1400};
    case FieldKind::occupancy:
    case FieldKind::volume:
        break;
    }
    if (radius > 0)
        return {"smoothed", size.bricks + size.voxels * std::pow(2 * radius + 1, 3) / 2000, 3000};
    return {"occupancy", size.bricks, 3000};
}

void FieldStage::hold(HeldBytes& held, const Result& field) {
    held.add(field.field);
    if (field.trace)
        held.add(false, field.trace->bytes());
}

StageDeclaration AutoIsoStage::declaration() {
    using enum Stage;
    return {.stage = autoIso, .name = "auto_iso", .takes = {{voxelize}, {field}}};
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
