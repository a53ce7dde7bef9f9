// Finds the selected points, on the device if the points are there.
#include "engine/stages/selection.h"

#include "engine/edit/pending_edits.h"
#include "engine/graph/placement.h"
#include "engine/recipe/recipe.h"
#include "engine/results/chosen_points.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "engine/stages/points/point_selector.h"
#include "kernels/select/select_points.h"

#include <optional>
#include <vector>

namespace scanloupe {

StageDeclaration SelectionStage::declaration() {
    using enum Stage;
    return {.stage = selection,
            .name = "selection",
            .takes = {{upload}, {edit}},
            .readsSelection = true,
            .label = "Selection"};
}

bool SelectionStage::isWanted(const Recipe& resolved, bool isVolume) {
    return !isVolume && !resolved.edits.selection.empty();
}

SelectionStage::Result SelectionStage::compute(const StageRun& run) {
    const UploadedPoints& points = pointsOf(run);
    const PointSelection& wanted = run.recipe->edits.selection;
    const Result* last = run.last<SelectionStage>();
    auto chosen = std::make_shared<ChosenPoints>();
    chosen->of = points.host;
    chosen->selection = wanted;
    chosen->set = onDeviceOrHost(run, points.device != nullptr, [&](const Execution& on) {
        const Buffer<Vec3f>& positions =
            on.onDevice() ? points.device->positions : points.host->all(on.stop).positions;
        const SelectablePoints selectable{points.attributes->cloud(),
                                          *points.attributes,
                                          {positions.data(), positions.size()},
                                          chosen->note};
        std::optional<std::vector<SelectionStep>> rest;
        if (last && (*last)->of == points.host && (*last)->set.onDevice() == on.onDevice())
            rest = pendingSteps((*last)->selection, wanted);
        const PointSet* from = rest ? (*last)->set.operator->() : nullptr;
        StoredPointSet set{chosenPoints(rest ? *rest : wanted.steps, selectable, on, from)};
        chosen->count = countOf(set, on);
        return set;
    });
    return chosen;
}

void SelectionStage::describe(StageTiming& timing, const StageRun&, const Result& chosen) {
    timing.backend = chosen->set.onDevice() ? "cuda" : "cpu";
    timing.bytes = chosen->set->bytes();
    timing.why = chosen->note;
    timing.counts = {{"points_selected", chosen->count}};
}

void SelectionStage::show(Snapshot& snapshot, const Result& chosen) {
    snapshot.chosen = chosen;
}

} // namespace scanloupe
