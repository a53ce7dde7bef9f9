// Converts between comparison options and layers.
#include "engine/inspect/compare_options.h"

#include "engine/cloud/point_cloud.h"
#include "engine/cloud/reference/coordinate_reference.h"
#include "engine/edit/edit_list.h"

#include <utility>

namespace scanloupe {

DeviationOptions optionsOf(const CompareAction& action) {
    DeviationOptions options;
    options.largest = action.largest;
    options.average = action.average;
    options.model = action.model;
    options.neighbours = action.neighbours;
    options.largestAngle = action.largestAngle;
    return options;
}

CompareAction actionOf(const DeviationOptions& options, std::string reference, double scale) {
    CompareAction action;
    action.reference = std::move(reference);
    action.scale = scale;
    action.largest = options.largest;
    action.average = options.average;
    action.model = options.model;
    action.neighbours = options.neighbours;
    action.largestAngle = options.largestAngle;
    return action;
}

double unitScale(const PointCloud& reference, LengthUnit scan) {
    const CoordinateReference its = referenceOf(&reference);
    const double metres = rowOf(its.unit).metres, scanMetres = rowOf(scan).metres;
    const bool isKnown = its.source == UnitSource::file || its.source == UnitSource::person;
    return isKnown && metres > 0 && scanMetres > 0 ? metres / scanMetres : 1;
}

DeviationOptions comparingOptions(const Edits& edits) {
    const auto layer = comparingLayer(edits);
    return layer ? optionsOf(std::get<CompareAction>(edits.layers[*layer]->action)) : DeviationOptions{};
}

} // namespace scanloupe
