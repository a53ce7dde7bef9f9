// Implements operations on edits, each of which returns new edits.
#include "engine/edit/edit_list.h"

#include <algorithm>
#include <utility>

namespace scanloupe {

namespace {

/// Maximum number of strokes in a layer. Each state of the history copies the list of strokes.
constexpr std::size_t kMaxStrokes = 300;

bool takesStrokes(const EditLayer& layer, const EditAction& action) {
    return !layer.isHidden && layer.action == action && layer.selection.steps.size() < kMaxStrokes &&
           std::ranges::all_of(layer.selection.steps, [](const SelectionStep& step) {
               return step.operation == SetOperation::add &&
                      std::holds_alternative<StrokeRegion>(*step.region);
           });
}

Edits withStroke(Edits edits, const SelectionStep& stroke, const EditAction& action,
                 const std::string& name) {
    if (!edits.layers.empty() && takesStrokes(*edits.layers.back(), action)) {
        const std::size_t last = edits.layers.size() - 1;
        return withChangedLayer(std::move(edits), last,
                                [&](EditLayer& layer) { layer.selection.steps.push_back(stroke); });
    }
    edits.layers.push_back(std::make_shared<const EditLayer>(EditLayer{name, false, {{stroke}}, action}));
    return edits;
}

} // namespace

Edits withStep(Edits edits, const SelectionStep& step) {
    if (step.operation == SetOperation::replace && !std::holds_alternative<GrowRegion>(*step.region) &&
        !std::holds_alternative<InvertRegion>(*step.region))
        edits.selection.steps.clear();
    edits.selection.steps.push_back(step);
    return edits;
}

Edits withLayer(Edits edits, EditAction action, std::string name) {
    EditLayer layer{std::move(name), false, edits.selection, action};
    edits.layers.push_back(std::make_shared<const EditLayer>(std::move(layer)));
    const bool keepsSelected =
        std::holds_alternative<SetClassAction>(action) || std::holds_alternative<SetColourAction>(action) ||
        std::holds_alternative<ComputeAction>(action) || std::holds_alternative<CudaFileAction>(action) ||
        std::holds_alternative<CompareAction>(action);
    if (!keepsSelected)
        edits.selection = {};
    return edits;
}

Edits withLayerOfSelectedOrAll(Edits edits, EditAction action, std::string name) {
    const PointSelection selection = edits.selection;
    if (selection.empty())
        edits.selection.steps = {stepOf(SetOperation::replace, InvertRegion{})};
    edits = withLayer(std::move(edits), std::move(action), std::move(name));
    edits.selection = selection;
    return edits;
}

Edits withErased(Edits edits, const SelectionStep& stroke, const std::string& name) {
    return withStroke(std::move(edits), stroke, RemoveAction{}, name);
}

Edits withSculpted(Edits edits, const SelectionStep& stroke, const SculptAction& action,
                   const std::string& name) {
    return withStroke(std::move(edits), stroke, action, name);
}

std::optional<std::size_t> comparingLayer(const Edits& edits) {
    for (std::size_t i = edits.layers.size(); i-- > 0;)
        if (!edits.layers[i]->isHidden && std::holds_alternative<CompareAction>(edits.layers[i]->action))
            return i;
    return std::nullopt;
}

bool takesAllPoints(const EditLayer& layer) {
    const std::vector<SelectionStep>& steps = layer.selection.steps;
    return steps.size() == 1 && std::holds_alternative<InvertRegion>(*steps.front().region);
}

RigidTransform wholeMotion(const EditLayers& layers) {
    RigidTransform motion;
    for (const auto& layer : layers)
        if (const auto* move = std::get_if<MoveAction>(&layer->action);
            move && !layer->isHidden && takesAllPoints(*layer))
            motion = move->motion * motion;
    return motion;
}

std::vector<std::string> filesOf(const EditLayers& layers) {
    std::vector<std::string> files;
    for (const auto& layer : layers) {
        if (const auto* compare = std::get_if<CompareAction>(&layer->action))
            files.push_back(compare->reference);
        if (const auto* cuda = std::get_if<CudaFileAction>(&layer->action))
            files.push_back(cuda->file.file);
    }
    return files;
}

Edits withoutLayer(Edits edits, std::size_t layer) {
    edits.layers.erase(edits.layers.begin() + std::ptrdiff_t(layer));
    return edits;
}

Edits withMovedLayer(Edits edits, std::size_t layer, std::size_t place) {
    auto moved = edits.layers.at(layer);
    edits.layers.erase(edits.layers.begin() + std::ptrdiff_t(layer));
    edits.layers.insert(edits.layers.begin() + std::ptrdiff_t(std::min(place, edits.layers.size())),
                        std::move(moved));
    return edits;
}

Edits withNamed(Edits edits, const std::string& name) {
    const auto known = std::ranges::find(edits.named, name, &NamedSelection::name);
    if (known != edits.named.end())
        known->selection = edits.selection;
    else
        edits.named.push_back({name, edits.selection});
    return edits;
}

} // namespace scanloupe
