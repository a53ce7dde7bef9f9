#pragma once
// The maths of one pair of a node (or voxel) and a voxel near it, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <limits>

namespace scanloupe {

/// 1 / radius^2 along each axis.
HD inline Vec3f inverseSquares(Vec3f radius) {
    return {1.0f / (radius.x * radius.x), 1.0f / (radius.y * radius.y), 1.0f / (radius.z * radius.z)};
}

/// 1 at the middle, 0 on the ellipsoid and outside it: what is left of the way out, squared.
HD inline float epanechnikov(float dx, float dy, float dz, Vec3f inverse) {
    const float kernel = 1.0f - (dy * dy * inverse.y + dz * dz * inverse.z) - dx * dx * inverse.x;
    return kernel > 0.0f ? kernel : 0.0f;
}

/// A smooth bump (1 - u^2)^3. Over an ellipsoid of radii a, b, c it has the volume (64 pi / 315) a b c.
HD inline float triweight(float kernel) {
    return kernel * kernel * kernel;
}

/// Density: what each point weighs at the middle, so that it weighs 1 in all (see bump).
HD inline float triweightNormalization(Vec3f radius) {
    constexpr double volume = 64 * 3.14159265358979323846 / 315; // of the bump over the unit ball
    return static_cast<float>(1 / volume) / (radius.x * radius.y * radius.z);
}

/// Occupancy and density: the outermost nodes of the lattice stay 0, so that the surface closes there too;
/// what lies past them is no node.
HD inline float borderValue(Vec3i node, Vec3i dims, float value) {
    if (node.x >= dims.x || node.y >= dims.y || node.z >= dims.z)
        return std::numeric_limits<float>::quiet_NaN();
    const bool outermost = node.x == 0 || node.y == 0 || node.z == 0 || node.x == dims.x - 1 ||
                           node.y == dims.y - 1 || node.z == dims.z - 1;
    return outermost ? 0.0f : value;
}

/// More points make a voxel's mean surer, but a few close to the sensor must not silence all others.
HD inline float confidence(std::uint32_t count) {
    return count < 8u ? static_cast<float>(count) : 8.0f;
}

/// What a node has gathered of the tangent planes around it.
struct PlaneSum {
    float weight = 0, distance = 0;
    float nearest = 0; ///< nearness of the nearest mean
};

/// Adds the plane through a voxel's mean, `d` before the node; `trusted`: see trust.
HD inline void addPlane(PlaneSum& sum, Vec3f d, Vec3f normal, float confidence, Vec3f inverse) {
    const float kernel = epanechnikov(d.x, d.y, d.z, inverse);
    const float weight = triweight(kernel) * confidence;
    sum.weight += weight;
    sum.distance += weight * (normal.x * d.x + (normal.y * d.y + normal.z * d.z));
    sum.nearest = kernel > sum.nearest ? kernel : sum.nearest;
}

/// A node's value counts when a mean lies within 31/32 of the support: no surface far from all points, and
/// none from weights that are hardly more than rounding. Else it is NaN.
HD inline float distanceOf(const PlaneSum& sum) {
    const bool supported = sum.nearest >= 1.0f - 961.0f / 1024.0f;
    return supported ? sum.distance / sum.weight : std::numeric_limits<float>::quiet_NaN();
}

} // namespace scanloupe
