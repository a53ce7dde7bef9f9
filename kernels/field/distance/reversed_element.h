#pragma once
// Distinguishes the real surface of a signed distance from sign changes between two surfaces, for both
// backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

namespace scanloupe {

/// Returns the mean slope of a cell, in units per metre, from the values at its corners (index x + 2 y + 4
/// z). `inverse`: 1 / edge length per axis.
HD inline Vec3f cellSlope(const float (&corners)[8], Vec3f inverse) {
    const float x = ((corners[1] - corners[0]) + (corners[3] - corners[2])) +
                    ((corners[5] - corners[4]) + (corners[7] - corners[6]));
    const float y = ((corners[2] - corners[0]) + (corners[3] - corners[1])) +
                    ((corners[6] - corners[4]) + (corners[7] - corners[5]));
    const float z = ((corners[4] - corners[0]) + (corners[5] - corners[1])) +
                    ((corners[6] - corners[2]) + (corners[7] - corners[3]));
    return Vec3f{x, y, z} * inverse * 0.25f;
}

/// Returns whether a distance clearly decreases along a normal (of any length), although it would increase
/// along the normal of the surface it measures: slope and normal are more than 120 degrees apart. Noise
/// deviates normals less.
HD inline bool isReversed(Vec3f slope, Vec3f normal) {
    const float along = dot(slope, normal);
    return along < 0 && along * along > 0.25f * (squaredNorm(slope) * squaredNorm(normal));
}

} // namespace scanloupe
