#pragma once
// Determines on which side of a surface a sample lies, for both backends.
#include "kernels/core/hd.h"

namespace scanloupe {

/// Returns whether a sample is inside. A sample equal to the iso-value counts as above it, whichever side is
/// inside: swapping the sides flips the orientation of the surface and keeps its cells.
HD inline bool isInside(float value, float iso, bool insideBelow) {
    return (value < iso) == insideBelow;
}
/// Returns whether a value is a sample. NaN and infinity are not: cells that touch them contain no surface.
HD inline bool isSample(float value) {
    return value - value == 0.0f;
}

} // namespace scanloupe
