#pragma once
// Declares the deviation of single points.
#include "engine/inspect/deviations.h"

#include <optional>

namespace scanloupe {

struct Reference;

/// A point and its deviation.
struct PlaceDeviation {
    Vec3d at;     ///< scan's frame
    Vec3d offset; ///< offset of `at` from the nearest point of the reference, metres
    double value = 0;
};

/// None for a point that is farther away than DeviationOptions::largest. @param place scan's frame
/// @param options only model, neighbours and largest are used
std::optional<PlaceDeviation> deviationAt(const Reference& reference, const DeviationOptions& options,
                                          Vec3d place);

} // namespace scanloupe
