#pragma once
// Declares what people do to edits: each gives new ones, so that a history is a list of values.
#include "engine/edit/edits.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scanloupe {

/// The edits with a step of their selection; one that replaces drops those before.
Edits withStep(Edits edits, const SelectionStep& step);
/// The edits with a layer above the others that does `action` to what is selected, of which nothing is
/// selected afterwards, unless its class, colour or an attribute was set.
Edits withLayer(Edits edits, EditAction action, std::string name);
/// The edits with a layer that does `action` to what is selected, or to all points where nothing is. The
/// selection stays.
Edits withLayerOfSelectedOrAll(Edits edits, EditAction action, std::string name);
/// The edits with a stroke of the eraser: in the uppermost layer if it erases and has room, else in one of
/// its own.
Edits withErased(Edits edits, const SelectionStep& stroke, const std::string& name);
/// The edits with a stroke of a brush that changes the field: in the uppermost layer if that does the same
/// and has room, else in one of its own.
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

/// Whether a layer is of all points that are there, as withLayerOfSelectedOrAll() makes one where nothing is
/// selected.
bool takesAllPoints(const EditLayer& layer);
/// The motion that layers which are shown give all points, file's frame.
RigidTransform wholeMotion(const EditLayers& layers);
/// The files that layers refer to, as they name them: models that they compare with, and CUDA files.
std::vector<std::string> filesOf(const EditLayers& layers);
Edits withoutLayer(Edits edits, std::size_t layer);
/// The layer of a number at another place.
Edits withMovedLayer(Edits edits, std::size_t layer, std::size_t place);
/// The edits with the selection kept under a name, in place of one of the same name.
Edits withNamed(Edits edits, const std::string& name);

} // namespace scanloupe
