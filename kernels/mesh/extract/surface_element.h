#pragma once
// Computes the vertex and the normal on one lattice edge, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/square_root.h"
#include "kernels/core/vec3.h"
#include "kernels/field/core/sample_element.h"
#include "kernels/field/core/scalar_field.h"

#include <cmath>

namespace scanloupe {

/// Returns the position on an edge where the surface crosses it, from 0 at the lower node to 1 at the upper
/// node. Both samples must be finite and on different sides.
HD inline float crossing(float lower, float upper, float iso) {
    const float step = upper - lower;
    if (isSample(step))
        return (iso - lower) / step;
    // halved, since the difference itself would overflow
    return (0.5f * iso - 0.5f * lower) / (0.5f * upper - 0.5f * lower);
}

/// Factors that convert differences of samples into slopes per metre. Stored as factors, since divisions are
/// several times slower.
struct SlopeScale {
    Vec3f oneSided; ///< 1 / spacing, per axis
    Vec3f central;  ///< 1 / (2 * spacing), per axis

    HD explicit SlopeScale(Vec3f spacing)
        : oneSided{1.0f / spacing.x, 1.0f / spacing.y, 1.0f / spacing.z}, central(oneSided * 0.5f) {}
};

/// Returns the change per metre along one axis: a central difference if both neighbours are samples,
/// otherwise a one-sided difference if one is, otherwise 0.
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

/// Returns the gradient at a node, per metre. `at` points to the node's sample; the neighbours along x, y, z
/// are 1, `row` and `layer` elements away. The node itself must be a sample.
HD inline Vec3f gradientAt(const float* at, int row, int layer, const SlopeScale& scale) {
    const Vec3f step{at[1] - at[-1], at[row] - at[-row], at[layer] - at[-layer]};
    if (isSample(step.x + step.y + step.z)) // usually true: all six neighbours are samples
        return step * scale.central;
    return {slope(at[-1], *at, at[1], scale.oneSided.x, scale.central.x),
            slope(at[-row], *at, at[row], scale.oneSided.y, scale.central.y),
            slope(at[-layer], *at, at[layer], scale.oneSided.z, scale.central.z)};
}

/// Returns the position of the vertex on the edge along `axis` from `node`, metres. In units of cells, the
/// position is exact at both ends, so that vertices at a common node coincide exactly.
HD inline Vec3f surfacePoint(Vec3i node, int axis, float t, const LatticeShape& lattice) {
    const Vec3f place =
        node.as<float>() + Vec3f{axis == 0 ? t : 0.0f, axis == 1 ? t : 0.0f, axis == 2 ? t : 0.0f};
    return lattice.origin + place * lattice.spacing;
}

/// Returns the unit normal, interpolated from the gradients at the ends of an edge; parallel to the edge if
/// the gradients vanish or are not finite.
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
    const Vec3f scaled = gradient / largest; // scaled so that the squares neither overflow nor underflow
    return scaled / squareRoot(squaredNorm(scaled));
}

/// Returns the distance from a node, in cells, within which vertices must be if rounding can make a
/// triangle's area zero. If all vertices of a triangle are farther from the nodes, no height of the triangle
/// is below 0.7 times that distance; but zero area requires a height of at most 3.5 times the rounding error
/// of a coordinate.
inline float zeroAreaReach(const LatticeShape& lattice) {
    double moved = 0; // maximum rounding error on any axis, in cells and units of 2^-24
    for (int axis = 0; axis < 3; ++axis) {
        const auto spacing = static_cast<double>(lattice.spacing[axis]);
        if (spacing < 1e-30) // products with the spacing may be denormal
            return 0.5f;
        const double origin = std::fabs(static_cast<double>(lattice.origin[axis])) / spacing;
        // rounding errors of node + t, of its product with the spacing, and of the sum with the origin
        const double axisMoved = 3.0 * lattice.dims[axis] + origin;
        moved = moved > axisMoved ? moved : axisMoved;
    }
    const double reach = 6.0 * moved / (1 << 24);
    return reach < 0.5 ? static_cast<float>(reach) : 0.5f;
}

} // namespace scanloupe
