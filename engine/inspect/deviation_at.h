#pragma once
// Declares the deviation of a single point.
#include "engine/inspect/deviations.h"

#include <optional>

namespace scanloupe {

struct Reference;

/// A point and its deviation.
struct PlaceDeviation {
    Vec3d at;     ///< position in the scan's frame
    Vec3d offset; ///< vector from the nearest point of the reference to `at`, metres
    double value = 0;
};

/// Returns the deviation of a position; none if it is farther away than DeviationOptions::largest.
/// @param place scan's frame
/// @param options only model, neighbours and largest are used
std::optional<PlaceDeviation> deviationAt(const Reference& reference, const DeviationOptions& options,
                                          Vec3d place);

} // namespace scanloupe
