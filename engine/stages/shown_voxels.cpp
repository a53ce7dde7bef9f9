// Updates the shown voxels after brush strokes, brick by brick.
#include "engine/stages/shown_voxels.h"

#include "engine/graph/held_bytes.h"
#include "engine/graph/placement.h"
#include "engine/io/volume/read_volume.h"
#include "engine/recipe/recipe.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "engine/stages/field.h"
#include "engine/stages/sculpt.h"
#include "kernels/field/operators.h"
#include "kernels/voxelize/operators.h"

#include <optional>
#include <vector>

namespace scanloupe {

namespace {

/// Returns a grid without voxels, in the memory space in which `on` computes.
VoxelGrid emptyGrid(const GridShape& shape, const Execution& on) {
    VoxelGrid grid;
    grid.shape = shape;
    if (on.onDevice()) {
        grid.keys = Buffer<std::uint64_t>::in(MemorySpace::device, 0, *on.device);
        grid.counts = Buffer<std::uint32_t>::in(MemorySpace::device, 0, *on.device);
        grid.means = Buffer<float>::in(MemorySpace::device, 0, *on.device);
    }
    return grid;
}

std::vector<std::uint64_t> allBricks(const ScalarField& field, const Execution& on) {
    const Buffer<std::uint64_t>& keys = field.brickKeys;
    if (!on.onDevice())
        return {keys.span().begin(), keys.span().end()};
    const Buffer<std::uint64_t> copy = keys.copyTo(MemorySpace::host, *on.device);
    on.device->synchronize();
    return {copy.span().begin(), copy.span().end()};
}

} // namespace

StageDeclaration ShownVoxelsStage::declaration() {
    using enum Stage;
    return {.stage = shownVoxels,
            .name = "shown_voxels",
            .reads = {{"iso"}},
            .takes = {{voxelize}, {field}, {sculpt}},
            .continuesAcross = sculpt,
            .label = "Voxels"};
}

bool ShownVoxelsStage::isWanted(const Recipe& resolved, bool isVolume) {
    return isVolume || SculptStage::isWanted(resolved, isVolume);
}

ShownVoxels ShownVoxelsStage::compute(const StageRun& run) {
    const DeviceOrHost<ScalarField>& now = fieldOf(run);
    const SculptedField* sculpted = run.wants(Stage::sculpt) ? &run.taken<SculptStage>() : nullptr;
    ShownVoxels result;
    result.base = run.taken<FieldStage>().field;
    if (!run.isVolume())
        result.points = run.taken<VoxelizeStage>().grid;
    if (sculpted)
        result.layers = sculpted->layers;
    result.level = float(*run.recipe->iso);
    const ShownVoxels* last = run.last<ShownVoxelsStage>();
    const bool isIncremental = last && sculpted && last->base == result.base &&
                               last->points == result.points && last->level == result.level &&
                               last->layers == sculpted->before &&
                               last->voxels.grid.onDevice() == now.onDevice();
    const bool canDevice = now.onDevice() && result.base.onDevice() &&
                           (!result.points || result.points.onDevice()) &&
                           (!isIncremental || last->voxels.grid.onDevice());
    result.voxels.grid = onDeviceOrHost(run, canDevice, [&](const Execution& on) {
        const ScalarField& field = inputFor(run, now, on);
        const VoxelGrid* points = result.points ? &inputFor(run, result.points, on) : nullptr;
        const VoxelLattice lattice =
            points ? VoxelLattice::ofScan(field, points->shape, result.level)
                   : VoxelLattice::ofVolume(field, run.volume->lattice.dims, result.level);
        const VoxelGrid none = emptyGrid(lattice.shape, on);
        const auto made = [&](bool fromLast) -> std::optional<VoxelGrid> {
            const VoxelGrid& begin = fromLast ? inputFor(run, last->voxels.grid, on)
                                     : points ? *points
                                              : none;
            const bool isAll =
                !sculpted || (fromLast ? sculpted->lastChangesAll : sculpted->changesAll || run.isVolume());
            const std::vector<std::uint64_t> all =
                isAll ? allBricks(field, on) : std::vector<std::uint64_t>();
            SurfaceVoxelSource source{.lattice = lattice, .field = field, .there = begin.keys, .bricks = {}};
            if (points) {
                source.base = &inputFor(run, result.base, on);
                source.points = &points->keys;
            }
            source.bricks = isAll ? all : fromLast ? sculpted->lastBricks : sculpted->bricks;
            const VoxelChange change = surfaceVoxels(source, on);
            const bool hadRemoved = fromLast && last->hasRemoved;
            if (points && hadRemoved && !change.added.empty())
                return std::nullopt; // full recomputation: a voxel that was carved away may have to be
                                     // restored with its points
            result.hasRemoved = hadRemoved || !change.removed.empty();
            result.added = change.added.size();
            result.removed = change.removed.size();
            return spliceVoxels(begin, change, on);
        };
        if (isIncremental)
            if (std::optional<VoxelGrid> grid = made(true))
                return *std::move(grid);
        return *made(false);
    });
    if (!run.isVolume())
        result.voxels.attributes = std::make_shared<const VoxelAttributes>(
            run.taken<VoxelizeStage>().attributes, result.voxels.grid);
    return result;
}

void ShownVoxelsStage::describe(StageTiming& timing, const StageRun& run, const Result& shown) {
    describePlace(timing, run, shown.voxels.grid);
    timing.bytes = shown.voxels.grid->bytes();
    timing.counts = {
        {"voxels", shown.voxels.grid->size()}, {"added", shown.added}, {"removed", shown.removed}};
}

void ShownVoxelsStage::show(Snapshot& snapshot, const Result& shown) {
    snapshot.shownVoxels = shown.voxels.grid;
    snapshot.shownAttributes = shown.voxels.attributes;
}

void ShownVoxelsStage::hold(HeldBytes& held, const Result& shown) {
    held.add(shown.voxels.grid);
}

} // namespace scanloupe
