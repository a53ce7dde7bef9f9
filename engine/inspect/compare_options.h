#pragma once
// Declares conversions between the options of comparisons and layers.
#include "engine/cloud/reference/length_unit.h"
#include "engine/inspect/deviations.h"

#include <string>

namespace scanloupe {

struct CompareAction;
struct Edits;
class PointCloud;

/// Returns the comparison options of a layer, without tolerance and regions.
DeviationOptions optionsOf(const CompareAction& action);

/// Returns a layer with these options.
/// @param reference file of the reference
/// @param scale see CompareAction::scale
CompareAction actionOf(const DeviationOptions& options, std::string reference, double scale);

/// Returns the factor from the reference's unit to the scan's if both files declare their unit; else 1.
double unitScale(const PointCloud& reference, LengthUnit scan);

/// Returns the options of the topmost comparing layer; the default options if there is no such layer.
DeviationOptions comparingOptions(const Edits& edits);

} // namespace scanloupe
