#pragma once
// Declares how layers that compare measure.
#include "engine/inspect/deviations.h"
#include "engine/reference/length_unit.h"

#include <string>

namespace scanloupe {

struct CompareAction;
struct Edits;
class PointCloud;

/// Comparison options of a layer; without tolerance and regions.
DeviationOptions optionsOf(const CompareAction& action);

/// A layer with these options. @param reference file @param scale see CompareAction
CompareAction actionOf(const DeviationOptions& options, std::string reference, double scale);

/// Scale from a reference's unit to the scan's, where both files state theirs; else 1.
double unitScale(const PointCloud& reference, LengthUnit scan);

/// Options of the top layer that compares. @param edits without such a layer, the defaults apply
DeviationOptions comparingOptions(const Edits& edits);

} // namespace scanloupe
