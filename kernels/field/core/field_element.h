#pragma once
// Computes the contribution of one voxel to a node (or voxel) near it, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cstdint>
#include <limits>

namespace scanloupe {

/// Returns 1 / radius^2 along each axis.
HD inline Vec3f inverseSquares(Vec3f radius) {
    return {1.0f / (radius.x * radius.x), 1.0f / (radius.y * radius.y), 1.0f / (radius.z * radius.z)};
}

/// Returns the Epanechnikov kernel 1 - u^2 over an ellipsoid: 1 at the centre, 0 on the ellipsoid and
/// outside. u is the distance from the centre relative to the radii; `inverse` comes from inverseSquares().
HD inline float epanechnikov(float dx, float dy, float dz, Vec3f inverse) {
    const float kernel = 1.0f - (dy * dy * inverse.y + dz * dz * inverse.z) - dx * dx * inverse.x;
    return kernel > 0.0f ? kernel : 0.0f;
}

/// Returns the triweight kernel (1 - u^2)^3, given the value 1 - u^2 of the Epanechnikov kernel. Its integral
/// over an ellipsoid with radii a, b, c is (64 pi / 315) a b c.
HD inline float triweight(float kernel) {
    return kernel * kernel * kernel;
}

/// Returns the factor, per cubic metre, by which the triweight kernel of a point integrates to 1 over space.
/// For density.
HD inline float triweightNormalization(Vec3f radius) {
    // integral of the triweight kernel over the unit ball
    constexpr double volume = 64 * 3.14159265358979323846 / 315;
    return static_cast<float>(1 / volume) / (radius.x * radius.y * radius.z);
}

/// Returns the value of a node of an occupancy or density field, considering the border. The outermost nodes
/// of the lattice are 0, which closes the surface there; positions beyond the lattice are NaN.
HD inline float borderValue(Vec3i node, Vec3i dims, float value) {
    if (node.x >= dims.x || node.y >= dims.y || node.z >= dims.z)
        return std::numeric_limits<float>::quiet_NaN();
    const bool outermost = node.x == 0 || node.y == 0 || node.z == 0 || node.x == dims.x - 1 ||
                           node.y == dims.y - 1 || node.z == dims.z - 1;
    return outermost ? 0.0f : value;
}

/// Returns the confidence in a voxel's mean. It grows with the number of points up to 8, so that few dense
/// voxels close to the sensor do not dominate.
HD inline float confidence(std::uint32_t count) {
    return count < 8u ? static_cast<float>(count) : 8.0f;
}

/// Weighted sum of a node's signed distances to nearby tangent planes.
struct PlaneSum {
    float weight = 0, distance = 0;
    float nearest = 0; ///< Epanechnikov kernel value of the nearest voxel mean, the largest value of all
};

/// Adds the tangent plane through a voxel's mean; `d` is the vector from the mean to the node, metres.
HD inline void addPlane(PlaneSum& sum, Vec3f d, Vec3f normal, float confidence, Vec3f inverse) {
    const float kernel = epanechnikov(d.x, d.y, d.z, inverse);
    const float weight = triweight(kernel) * confidence;
    sum.weight += weight;
    sum.distance += weight * (normal.x * d.x + (normal.y * d.y + normal.z * d.z));
    sum.nearest = kernel > sum.nearest ? kernel : sum.nearest;
}

/// Returns the signed distance at a node, metres: the weighted mean of the distances to tangent planes
/// (implicit moving least squares, Kolluri, 2005). Returns NaN unless a mean is within 31/32 of the support
/// radius. This avoids surface far from all points, and weights close to the rounding error.
HD inline float distanceOf(const PlaneSum& sum) {
    const bool supported = sum.nearest >= 1.0f - 961.0f / 1024.0f;
    return supported ? sum.distance / sum.weight : std::numeric_limits<float>::quiet_NaN();
}

} // namespace scanloupe
