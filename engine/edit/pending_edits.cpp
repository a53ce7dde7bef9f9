// Determines which steps and layers have not been applied yet.
#include "engine/edit/pending_edits.h"

#include <algorithm>
#include <iterator>

namespace scanloupe {

namespace {

using Steps = std::vector<SelectionStep>;

EditLayers shownOf(const EditLayers& layers) {
    EditLayers shown;
    std::ranges::copy_if(layers, std::back_inserter(shown), [](const auto& one) { return !one->isHidden; });
    return shown;
}

const StrokeRegion* strokeOf(const SelectionStep& step) {
    return std::get_if<StrokeRegion>(step.region.get());
}

/// Whether a part of a stroke has the same pressures as the whole stroke from index `from` on.
bool hasPressuresOf(const StrokeRegion& part, const StrokeRegion& whole, std::size_t from) {
    const auto at = [](const StrokeRegion& stroke, std::size_t i) {
        return stroke.pressures.empty() ? 1.0 : stroke.pressures[i];
    };
    for (std::size_t i = 0; i < part.path.size(); ++i)
        if (at(part, i) != at(whole, from + i))
            return false;
    return true;
}

/// Returns the rest of a stroke of which some parts were already applied; each part starts at the end of the
/// previous one. The result has no points if nothing is left, and is none if the parts do not belong to the
/// stroke.
std::optional<StrokeRegion> restOf(const SelectionStep& whole, std::span<const SelectionStep> parts) {
    const StrokeRegion* stroke = strokeOf(whole);
    const bool isOfParts = // applying the parts must equal applying the whole stroke
        whole.operation == SetOperation::add || whole.operation == SetOperation::subtract;
    if (!stroke || stroke->path.empty() || !isOfParts)
        return std::nullopt;
    std::size_t last = 0; // number of path points that were already applied
    for (const SelectionStep& part : parts) {
        const StrokeRegion* of = strokeOf(part);
        if (!of || part.operation != whole.operation || of->radius != stroke->radius || of->path.empty() ||
            last + of->path.size() > stroke->path.size() ||
            !std::equal(of->path.begin(), of->path.end(), stroke->path.begin() + std::ptrdiff_t(last)) ||
            of->continues != (stroke->continues || &part != &parts.front()) ||
            !hasPressuresOf(*of, *stroke, last))
            return std::nullopt;
        last += of->path.size() - 1;
    }
    if (last + 1 == stroke->path.size())
        return StrokeRegion{{}, stroke->radius};
    StrokeRegion rest = *stroke;
    rest.path.erase(rest.path.begin(), rest.path.begin() + std::ptrdiff_t(last));
    if (!rest.pressures.empty())
        rest.pressures.erase(rest.pressures.begin(), rest.pressures.begin() + std::ptrdiff_t(last));
    rest.continues = stroke->continues || !parts.empty();
    return rest;
}

/// Whether a region selects each point independently of the other points, so that it selects the same points,
/// or fewer, after a layer was applied.
bool isOfSinglePoints(const SelectionRegion& region) {
    const auto* outline = std::get_if<OutlineRegion>(&region);
    return std::holds_alternative<StrokeRegion>(region) || (outline && !outline->visibleOnly);
}

/// Whether applying the action to A and then to B gives the same result as applying it to the union of A and
/// B.
bool isOfUnions(const EditAction& action) {
    return std::holds_alternative<RemoveAction>(action) || std::holds_alternative<SetClassAction>(action) ||
           std::holds_alternative<SetColourAction>(action) || std::holds_alternative<SculptAction>(action);
}

/// Returns a layer with the steps that `wanted` has in addition to `applied`; null if the layers differ in
/// anything else.
std::shared_ptr<const EditLayer> addedSteps(const EditLayer& applied, const EditLayer& wanted) {
    if (!(applied.action == wanted.action) || !isOfUnions(wanted.action) || applied.selection.empty())
        return nullptr;
    const auto rest = pendingSteps(applied.selection, wanted.selection);
    const bool areUnions = rest && std::ranges::all_of(*rest, [](const SelectionStep& step) {
                               return step.operation == SetOperation::add && isOfSinglePoints(*step.region);
                           });
    if (!areUnions)
        return nullptr;
    EditLayer layer = wanted;
    layer.selection.steps = *rest;
    return std::make_shared<const EditLayer>(std::move(layer));
}

} // namespace

std::optional<Steps> pendingSteps(const PointSelection& applied, const PointSelection& wanted) {
    const Steps &before = applied.steps, &after = wanted.steps;
    const auto [known, next] = std::ranges::mismatch(before, after);
    if (known == before.end())
        return Steps(next, after.end());
    if (next == after.end())
        return std::nullopt;
    const auto rest = restOf(*next, {known, before.end()});
    if (!rest)
        return std::nullopt;
    Steps pending(next + 1, after.end());
    if (!rest->path.empty())
        pending.insert(pending.begin(), stepOf(next->operation, *rest));
    return pending;
}

std::optional<EditLayers> pendingLayers(const EditLayers& applied, const EditLayers& wanted) {
    const EditLayers before = shownOf(applied), after = shownOf(wanted);
    if (before.size() > after.size())
        return std::nullopt;
    const auto common = std::ptrdiff_t(before.size());
    const auto rest = [&](std::ptrdiff_t from) { return EditLayers(after.begin() + from, after.end()); };
    if (haveSameEffect(before, EditLayers(after.begin(), after.begin() + common)))
        return rest(common);
    if (!haveSameEffect(EditLayers(before.begin(), before.end() - 1),
                        EditLayers(after.begin(), after.begin() + common - 1)))
        return std::nullopt;
    auto added = addedSteps(*before.back(), *after[std::size_t(common - 1)]);
    if (!added)
        return std::nullopt;
    EditLayers pending = rest(common);
    pending.insert(pending.begin(), std::move(added));
    return pending;
}

} // namespace scanloupe
