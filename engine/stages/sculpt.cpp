// Applies brush strokes to the field, in the memory space of the field.
#include "engine/stages/sculpt.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/cuda_files.h"
#include "engine/edit/pending_edits.h"
#include "engine/edit/sculpt_dabs.h"
#include "engine/edit/trust_store.h"
#include "engine/graph/held_bytes.h"
#include "engine/graph/memory_check.h"
#include "engine/graph/placement.h"
#include "engine/recipe/recipe.h"
#include "engine/results/snapshot.h"
#include "engine/stages/field.h"
#include "kernels/field/operators.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <optional>
#include <span>

namespace scanloupe {

namespace {

/// Dabs of brushes, and the CUDA file whose function is applied after them; null: none.
struct SculptStep {
    std::vector<SculptDab> dabs;
    const CudaFileAction* file = nullptr;
};

/// Returns the changes that the layers make, one after another; at least one.
std::vector<SculptStep> changesOf(const EditLayers& layers, Vec3d origin, const LatticeShape& lattice,
                                  const std::stop_token& stop) {
    std::vector<SculptStep> changes;
    EditLayers strokes;
    const auto end = [&](const CudaFileAction* file) {
        changes.push_back({sculptDabs(strokes, origin, lattice, stop), file});
        strokes.clear();
    };
    for (const auto& layer : layers) {
        const auto* file = std::get_if<CudaFileAction>(&layer->action);
        if (!file)
            strokes.push_back(layer);
        else if (!layer->isHidden)
            end(file);
    }
    if (changes.empty() || !strokes.empty())
        end(nullptr);
    return changes;
}

ScalarField applied(const SculptStep& change, const ScalarField& field, Vec3d origin, std::uint64_t most,
                    const TrustedCode* trusted, const Execution& on) {
    if (!change.file)
        return sculpt(field, change.dabs, most, on);
    const CudaFileAction& action = *change.file;
    if (!on.onDevice())
        throw EngineError(
            fmt::format("The CUDA file {} needs a GPU, but the field is not on a GPU.", action.file.name()),
            "Use an NVIDIA GPU with enough memory (--backend=cuda), or hide the layer with this file.");
    const TrustedCudaFile file = requireTrusted(trusted, action.file);
    const FieldFrame frame{origin, action.up, float(action.level), float(action.slope)};
    const auto of = [&](const ScalarField& before) {
        return namingFile(action.file,
                          [&] { return applyFunction(before, file, frame, most, on.stop, *on.device); });
    };
    return change.dabs.empty() ? of(field) : of(sculpt(field, change.dabs, most, on));
}

/// Adds the bricks that a change may modify to the result's list of bricks.
void noteBricks(SculptedField& result, const SculptStep& change, const ScalarField& field,
                const std::stop_token& stop) {
    result.dabs += change.dabs.size();
    result.lastChangesAll = result.lastChangesAll || change.file;
    const auto near = bricksNearDabs(field.lattice, field.brickDims, change.dabs, stop);
    std::vector<std::uint64_t> all;
    std::ranges::set_union(result.lastBricks, near, std::back_inserter(all));
    result.lastBricks = std::move(all);
}

/// Returns the number of bricks of a changed field that fit in the memory of the host next to the original
/// field.
std::uint64_t maxBricks(const StageRun& run) {
    RunSize one;
    one.bricks = 1;
    // halved, because a second batch of strokes needs the same memory again
    return availableMemory(run) / (2 * SculptStage::bytes(one, *run.recipe).peak);
}

} // namespace

StageDeclaration SculptStage::declaration() {
    using enum Stage;
    return {.stage = sculpt,
            .name = "sculpt",
            .takes = {{upload}, {field}},
            .readsSculpting = true,
            .label = "Sculpt"};
}

bool SculptStage::isWanted(const Recipe& resolved, bool) {
    return !haveSameEffect(sculptLayers(resolved.edits.layers), {});
}

SculptedField SculptStage::compute(const StageRun& run) {
    const DeviceOrHost<ScalarField>& base = run.taken<FieldStage>().field;
    const EditLayers layers = sculptLayers(run.recipe->edits.layers);
    const SculptedField* last = run.last<SculptStage>();
    std::optional<EditLayers> pending;
    if (last && last->from == base)
        pending = pendingLayers(last->layers, layers);
    SculptedField result;
    result.from = base;
    result.layers = layers;
    const DeviceOrHost<ScalarField>& begin = pending ? last->field : base;
    const Vec3d origin = run.isVolume() ? Vec3d{} : run.cloud->origin();
    const std::vector<SculptStep> changes =
        changesOf(pending ? *pending : layers, origin, begin->lattice, run.stop);
    for (const SculptStep& change : changes)
        noteBricks(result, change, *begin.operator->(), run.stop);
    if (pending) {
        result.before = last->layers;
        if (!result.lastChangesAll)
            result.lastField = last->field.identity();
        result.changesAll = result.lastChangesAll || last->changesAll;
        std::ranges::set_union(last->bricks, result.lastBricks, std::back_inserter(result.bricks));
    } else {
        result.changesAll = result.lastChangesAll;
        result.bricks = result.lastBricks;
    }
    result.field = onDeviceOrHost(run, begin.onDevice(), [&](const Execution& on) {
        const std::uint64_t most = on.onDevice() ? kAnyBricks : maxBricks(run);
        ScalarField field =
            applied(changes.front(), inputFor(run, begin, on), origin, most, run.trusted.get(), on);
        for (const SculptStep& change : std::span(changes).subspan(1))
            field = applied(change, field, origin, most, run.trusted.get(), on);
        return field;
    });
    return result;
}

void SculptStage::describe(StageTiming& timing, const StageRun& run, const Result& sculpted) {
    describePlace(timing, run, sculpted.field);
    timing.bytes = sculpted.field->bytes();
    timing.counts = {{"bricks", sculpted.field->brickCount()}, {"dabs", sculpted.dabs}};
}

void SculptStage::show(Snapshot& snapshot, const Result& sculpted) {
    snapshot.field = sculpted.field;
}

StageMemory SculptStage::bytes(const RunSize& size, const Recipe&) {
    const auto bricks = std::uint64_t(size.bricks);
    // key of each brick, and index of the brick that it is copied from
    return {bricks * kBrickBytes, bricks * (kBrickBytes + sizeof(std::uint64_t) + sizeof(std::uint32_t))};
}

StageWork SculptStage::work(const RunSize& size, const Recipe&) { // the field is copied
    return {"", size.bricks, 300};
}

void SculptStage::hold(HeldBytes& held, const Result& sculpted) {
    held.add(sculpted.field);
}

FieldChange fieldChange(const StageRun& run) {
    if (!run.wants(Stage::sculpt))
        return run.taken<FieldStage>().change;
    const SculptedField& sculpted = run.taken<SculptStage>();
    return {sculpted.lastField, sculpted.lastBricks};
}

const DeviceOrHost<ScalarField>& fieldOf(const StageRun& run) {
    return run.wants(Stage::sculpt) ? run.taken<SculptStage>().field : run.taken<FieldStage>().field;
}

} // namespace scanloupe
