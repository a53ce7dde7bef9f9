#pragma once
// Declares the deviation of single places.
#include "engine/inspect/deviations.h"

#include <optional>

namespace scanloupe {

/// A place, and how it deviates.
struct PlaceDeviation {
    Vec3d at;     ///< scan's frame
    Vec3d offset; ///< of the place from where the reference is nearest, metres
    double value = 0;
};

/// None for a place that is farther away than DeviationOptions::largest. @param place scan's frame
/// @param options of which model, neighbours and largest count
std::optional<PlaceDeviation> deviationAt(const Reference& reference, const DeviationOptions& options,
                                          Vec3d place);

} // namespace scanloupe
