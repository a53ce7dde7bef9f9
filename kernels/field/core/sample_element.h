#pragma once
// Determines on which side of a surface a sample lies, for both backends.
#include "kernels/core/hd.h"

namespace scanloupe {

/// A sample at the iso-value counts as above it, independent of which side is inside: swapping the sides
/// flips the orientation of the surface and keeps its cells.
HD inline bool isInside(float value, float iso, bool insideBelow) {
    return (value < iso) == insideBelow;
}
/// NaN and infinity are not samples: cells that touch them carry no surface.
HD inline bool isSample(float value) {
    return value - value == 0.0f;
}

} // namespace scanloupe
