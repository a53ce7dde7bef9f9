#pragma once
// Declares how layers that compare measure.
#include "engine/edit/edits.h"
#include "engine/inspect/deviations.h"
#include "engine/reference/length_unit.h"

#include <string>

namespace scanloupe {

/// How a layer measures; without tolerance and regions.
DeviationOptions optionsOf(const CompareAction& action);

/// A layer that measures so. @param reference file @param scale see CompareAction
CompareAction actionOf(const DeviationOptions& options, std::string reference, double scale);

/// The scan's unit of a unit of a reference, where both files say which they have; else 1.
double unitScale(const PointCloud& reference, LengthUnit scan);

/// How the uppermost layer that compares measures. @param edits without such a layer: as none is given
DeviationOptions comparingOptions(const Edits& edits);

} // namespace scanloupe
