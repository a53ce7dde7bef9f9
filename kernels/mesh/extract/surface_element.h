#pragma once
// Computes the vertex and the normal of one lattice edge, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/square_root.h"
#include "kernels/core/vec3.h"
#include "kernels/field/core/sample_element.h"
#include "kernels/field/core/scalar_field.h"

#include <cmath>

namespace scanloupe {

/// Position on an edge where the surface crosses it: 0 at the lower node, 1 at the upper one. Both samples
/// are finite and on different sides.
HD inline float crossing(float lower, float upper, float iso) {
    const float step = upper - lower;
    if (isSample(step))
        return (iso - lower) / step;
    // the difference itself would overflow
    return (0.5f * iso - 0.5f * lower) / (0.5f * upper - 0.5f * lower);
}

/// Factors that turn differences of samples into slopes, per metre; factors, since divisions take several
/// times longer.
struct SlopeScale {
    Vec3f oneSided; ///< 1 / spacing
    Vec3f central;  ///< 1 / (2 spacing)

    HD explicit SlopeScale(Vec3f spacing)
        : oneSided{1.0f / spacing.x, 1.0f / spacing.y, 1.0f / spacing.z}, central(oneSided * 0.5f) {}
};

/// Change per metre along one axis: central if both neighbours are samples, otherwise one-sided, otherwise 0.
HD inline float slope(float before, float here, float after, float oneSided, float central) {
    const bool hasBefore = isSample(before), hasAfter = isSample(after);
    if (hasBefore && hasAfter)
        return (after - before) * central;
    if (hasAfter)
        return (after - here) * oneSided;
    if (hasBefore)
        return (here - before) * oneSided;
    return 0.0f;
}

/// Gradient at a node, per metre; `at` points to its sample, whose neighbours are 1, `row` and `layer` away.
/// The node itself is a sample.
HD inline Vec3f gradientAt(const float* at, int row, int layer, const SlopeScale& scale) {
    const Vec3f step{at[1] - at[-1], at[row] - at[-row], at[layer] - at[-layer]};
    if (isSample(step.x + step.y + step.z)) // true in nearly all cases: all six are samples
        return step * scale.central;
    return {slope(at[-1], *at, at[1], scale.oneSided.x, scale.central.x),
            slope(at[-row], *at, at[row], scale.oneSided.y, scale.central.y),
            slope(at[-layer], *at, at[layer], scale.oneSided.z, scale.central.z)};
}

/// Position of the vertex on the edge along `axis` from `node`, metres. In cells it is exact at both ends, so
/// that edges that meet in a node meet exactly.
HD inline Vec3f surfacePoint(Vec3i node, int axis, float t, const LatticeShape& lattice) {
    const Vec3f place =
        node.as<float>() + Vec3f{axis == 0 ? t : 0.0f, axis == 1 ? t : 0.0f, axis == 2 ? t : 0.0f};
    return lattice.origin + place * lattice.spacing;
}

/// Unit normal from the gradients at the ends of an edge; parallel to the edge if these vanish or are not
/// finite.
HD inline Vec3f surfaceNormal(Vec3f lower, Vec3f upper, float t, float outwardSign, int axis,
                              bool lowerInside) {
    const Vec3f gradient = (lower + (upper - lower) * t) * outwardSign;
    const float squared = squaredNorm(gradient);
    if (squared >= 1e-30f && squared <= 1e30f)
        return gradient * (1.0f / squareRoot(squared));
    const float ax = std::fabs(gradient.x), ay = std::fabs(gradient.y), az = std::fabs(gradient.z);
    const float largest = ax > ay ? (ax > az ? ax : az) : (ay > az ? ay : az);
    if (!(largest > 0.0f) || !isFinite(gradient)) {
        const float side = lowerInside ? 1.0f : -1.0f;
        return {axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f};
    }
    const Vec3f scaled = gradient / largest; // the squares neither overflow nor underflow
    return scaled / squareRoot(squaredNorm(scaled));
}

/// Distance from a node, in cells, within which vertices have to lie if rounding makes a triangle's area
/// zero. A triangle whose vertices all lie farther from the nodes has no height below 0.7 times that
/// distance, and zero area takes a height of at most 3.5 times the rounding error of a coordinate.
inline float zeroAreaReach(const LatticeShape& lattice) {
    double moved = 0; // cells
    for (int axis = 0; axis < 3; ++axis) {
        const auto spacing = static_cast<double>(lattice.spacing[axis]);
        if (spacing < 1e-30) // products with it may be denormal
            return 0.5f;
        const double origin = std::fabs(static_cast<double>(lattice.origin[axis])) / spacing;
        // roundings of node + t, of its product with the spacing, and of the sum with the origin
        const double axisMoved = 3.0 * lattice.dims[axis] + origin;
        moved = moved > axisMoved ? moved : axisMoved;
    }
    const double reach = 6.0 * moved / (1 << 24);
    return reach < 0.5 ? static_cast<float>(reach) : 0.5f;
}

} // namespace scanloupe
