#pragma once
// Declares the user's operations on edits: each returns new edits, so that a history is a list of values.
#include "engine/edit/edits.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// The edits with a step of their selection; one that replaces drops those before.
Edits withStep(Edits edits, const SelectionStep& step);
/// The edits with a new top layer that applies `action` to the selection. The selection is then cleared,
/// unless the action sets the class, the colour or an attribute.
Edits withLayer(Edits edits, EditAction action, std::string name);
/// The edits with a new layer that applies `action` to the selection, or to all points without one. The
/// selection is kept.
Edits withLayerOfSelectedOrAll(Edits edits, EditAction action, std::string name);
/// The edits with a stroke of the eraser: in the top layer if it erases and has room, else in a new layer.
Edits withErased(Edits edits, const SelectionStep& stroke, const std::string& name);
/// The edits with a brush stroke that changes the field: in the top layer if its action is the same and it
/// has room, else in a new layer.
Edits withSculpted(Edits edits, const SelectionStep& stroke, const SculptAction& action,
                   const std::string& name);
/// The layer of a number, changed by `change`.
template <class Change>
Edits withChangedLayer(Edits edits, std::size_t layer, Change&& change) {
    auto changed = std::make_shared<EditLayer>(*edits.layers.at(layer));
    change(*changed);
    edits.layers[layer] = std::move(changed);
    return edits;
}
/// The uppermost layer that compares with a model and is not hidden; none without one.
std::optional<std::size_t> comparingLayer(const Edits& edits);

/// Whether a layer applies to all present points, as withLayerOfSelectedOrAll() does without a selection.
bool takesAllPoints(const EditLayer& layer);
/// The combined motion of all points by the visible layers, file's frame.
RigidTransform wholeMotion(const EditLayers& layers);
/// The files that layers refer to, as they name them: models that they compare with, and CUDA files.
std::vector<std::string> filesOf(const EditLayers& layers);
Edits withoutLayer(Edits edits, std::size_t layer);
/// Moves a layer to another position.
Edits withMovedLayer(Edits edits, std::size_t layer, std::size_t place);
/// Stores the selection under a name, replacing one of the same name.
Edits withNamed(Edits edits, const std::string& name);

} // namespace scanloupe
