#pragma once
// Declares the user's operations on edits: each returns new edits, so that a history is a list of values.
#include "engine/edit/edits.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// Returns the edits with a step added to their selection. A step with SetOperation::replace drops the steps
/// before it.
Edits withStep(Edits edits, const SelectionStep& step);
/// Returns the edits with a new top layer that applies `action` to the selection. The selection is then
/// cleared, unless the action sets the class, the colour or an attribute.
Edits withLayer(Edits edits, EditAction action, std::string name);
/// Returns the edits with a new top layer that applies `action` to the selection, or to all points if nothing
/// is selected. The selection is kept.
Edits withLayerOfSelectedOrAll(Edits edits, EditAction action, std::string name);
/// Returns the edits with a stroke of the eraser. The stroke is added to the top layer if that layer erases
/// and has fewer strokes than the maximum, else to a new layer.
Edits withErased(Edits edits, const SelectionStep& stroke, const std::string& name);
/// Returns the edits with a brush stroke that changes the field. The stroke is added to the top layer if its
/// action is the same and it has fewer strokes than the maximum, else to a new layer.
Edits withSculpted(Edits edits, const SelectionStep& stroke, const SculptAction& action,
                   const std::string& name);
/// Returns the edits after applying `change` to the layer with index `layer`.
template <class Change>
Edits withChangedLayer(Edits edits, std::size_t layer, Change&& change) {
    auto changed = std::make_shared<EditLayer>(*edits.layers.at(layer));
    change(*changed);
    edits.layers[layer] = std::move(changed);
    return edits;
}
/// Returns the index of the topmost visible layer that compares points with a reference; none if there is no
/// such layer.
std::optional<std::size_t> comparingLayer(const Edits& edits);

/// Whether a layer applies to all present points, as those that withLayerOfSelectedOrAll() adds without a
/// selection.
bool takesAllPoints(const EditLayer& layer);
/// Returns the combined motion of the visible layers that move all points, in the file's frame.
RigidTransform wholeMotion(const EditLayers& layers);
/// Returns the files that layers refer to, by the names in the layers: references of comparisons, and CUDA
/// files.
std::vector<std::string> filesOf(const EditLayers& layers);
Edits withoutLayer(Edits edits, std::size_t layer);
/// Returns the edits with a layer moved to index `place`.
Edits withMovedLayer(Edits edits, std::size_t layer, std::size_t place);
/// Returns the edits with the selection stored under a name. It replaces a stored selection of the same name.
Edits withNamed(Edits edits, const std::string& name);

} // namespace scanloupe
