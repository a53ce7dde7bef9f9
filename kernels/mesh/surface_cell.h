#pragma once
// The maths of one lattice edge, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/field/scalar_field.h"

#include <cmath>

namespace scanloupe {

/// A sample at the iso-value counts as above it, whichever side inside is: turning a field's inside out turns
/// the surface around and leaves its cells as they are.
HD inline bool isInside(float value, float iso, bool insideBelow) {
    return (value < iso) == insideBelow;
}
/// NaN and infinity are no samples: cells that touch them carry no surface.
HD inline bool isSample(float value) {
    return value - value == 0.0f;
}

/// Where the surface crosses an edge: 0 at the lower node, 1 at the upper one. Both are samples on different
/// sides.
HD inline float crossing(float lower, float upper, float iso) {
    const float step = upper - lower;
    if (isSample(step))
        return (iso - lower) / step;
    return (0.5f * iso - 0.5f * lower) /
           (0.5f * upper - 0.5f * lower); // the difference itself would overflow
}

/// Change per metre at a node along one axis: central where both neighbours are samples, else one-sided, else
/// 0.
HD inline float slope(float before, float here, float after, float spacing) {
    const bool hasBefore = isSample(before), hasAfter = isSample(after);
    if (hasBefore && hasAfter)
        return (after - before) / (2.0f * spacing);
    if (hasAfter)
        return (after - here) / spacing;
    if (hasBefore)
        return (here - before) / spacing;
    return 0.0f;
}

/// Unit normal from the gradients at the ends of an edge; `fallback` where these say nothing.
HD inline Vec3f surfaceNormal(Vec3f lower, Vec3f upper, float t, float outwardSign, Vec3f fallback) {
    const Vec3f gradient = (lower + (upper - lower) * t) * outwardSign;
    const float ax = std::fabs(gradient.x), ay = std::fabs(gradient.y), az = std::fabs(gradient.z);
    const float largest = ax > ay ? (ax > az ? ax : az) : (ay > az ? ay : az);
    if (!(largest > 0.0f) || !isFinite(gradient))
        return fallback;
    const Vec3f scaled = gradient / largest; // so that squares neither overflow nor vanish
    return scaled / std::sqrt(squaredNorm(scaled));
}

} // namespace scanloupe
