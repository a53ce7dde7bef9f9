// Compares edits. Objects that are shared are compared by their addresses first.
#include "engine/edit/edits.h"

#include "engine/cloud/attribute.h"

#include <algorithm>
#include <iterator>

namespace scanloupe {

namespace {

template <class T>
bool areSame(const std::shared_ptr<const T>& a, const std::shared_ptr<const T>& b) {
    return a == b || (a && b && *a == *b);
}

std::vector<const EditLayer*> shownLayers(const EditLayers& layers) {
    std::vector<const EditLayer*> shown;
    for (const auto& layer : layers)
        if (!layer->isHidden)
            shown.push_back(layer.get());
    return shown;
}

EditLayers layersThat(const EditLayers& layers, bool sculpt) {
    EditLayers some;
    std::ranges::copy_if(layers, std::back_inserter(some),
                         [&](const auto& layer) { return changesField(layer->action) == sculpt; });
    return some;
}

} // namespace

bool SelectionStep::operator==(const SelectionStep& other) const {
    return operation == other.operation && areSame(region, other.region);
}

SelectionStep stepOf(SetOperation operation, SelectionRegion region) {
    return {operation, std::make_shared<const SelectionRegion>(std::move(region))};
}

bool Edits::operator==(const Edits& other) const {
    return std::ranges::equal(layers, other.layers, areSame<EditLayer>) && selection == other.selection &&
           named == other.named;
}

bool changesField(const EditAction& action) {
    const auto* file = std::get_if<CudaFileAction>(&action);
    return std::holds_alternative<SculptAction>(action) ||
           (file && file->file.function == CudaFunction::field);
}

EditLayers pointLayers(const EditLayers& layers) {
    return layersThat(layers, false);
}
EditLayers sculptLayers(const EditLayers& layers) {
    return layersThat(layers, true);
}

bool haveSameEffect(const EditLayers& a, const EditLayers& b) {
    return std::ranges::equal(
        shownLayers(a), shownLayers(b), [](const EditLayer* one, const EditLayer* other) {
            return one == other || (one->selection == other->selection && one->action == other->action);
        });
}

} // namespace scanloupe
