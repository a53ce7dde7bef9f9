// Finds the points that a layer has compared with a reference.
#include "engine/stages/compared_points.h"

#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/edit/edit_list.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/stages/edit.h"
#include "engine/stages/points/point_selector.h"
#include "kernels/cut/cut_points.h"

#include <algorithm>
#include <string>

namespace scanloupe {

Buffer<Vec3f> comparedPoints(const Snapshot& snapshot, const std::stop_token& stop) {
    const EditLayers& layers = snapshot.recipe->edits.layers;
    const auto measures = [&](const EditLayer& layer) {
        const auto* action = std::get_if<CompareAction>(&layer.action);
        return action && !layer.isHidden &&
               std::ranges::find(snapshot.missingReferences, action->reference) ==
                   snapshot.missingReferences.end();
    };
    auto layer = layers.end(); // the topmost comparing layer
    while (layer != layers.begin() && !measures(**(layer - 1)))
        --layer;
    if (layer == layers.begin())
        throw Fault("no layer compares points");
    --layer;
    const Buffer<Vec3f>& all = snapshot.points->all(stop).positions;
    // the layer selects among the points that the layers below it have left
    const auto before = takesAllPoints(**layer)
                            ? snapshot.cloud
                            : withEdits(snapshot.input, EditLayers(layers.begin(), layer), stop);
    const PointAttributes attributes(before, 1, nullptr);
    std::string note;
    const PointSet chosen =
        chosenPoints((*layer)->selection.steps, {*before, attributes, {all.data(), all.size()}, note},
                     {std::nullopt, stop});
    auto points = Buffer<Vec3f>::host(all.size());
    for (std::size_t i = 0; i < all.size(); ++i)
        points[i] = chosen.has(i) ? all[i] : Vec3f{kCutAway, kCutAway, kCutAway};
    return points;
}

} // namespace scanloupe
