#pragma once
// Computes the effect of one dab on one node of a field, for both backends.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/sculpt/sculpt.h"

#include <cmath>
#include <limits>

namespace scanloupe {

/// Width of the rim around the ball of a dab, in cell edges. Nodes farther outside keep their values; nodes
/// in the rim are needed for the surface between nodes and for its normals.
inline constexpr float kSculptRim = 2.5f;
/// Maximum distance, in cell edges, of the values that brushes create from the surface level: enough for the
/// surface and its normals, but small enough that painting does not extend the range of values.
inline constexpr float kSculptBand = 2;

HD inline float largestEdge(Vec3f edges) {
    const float xy = edges.x > edges.y ? edges.x : edges.y;
    return xy > edges.z ? xy : edges.z;
}

/// Returns the depth of a place in the ball of a dab, or in the union of balls along its piece of stroke,
/// metres; negative outside.
HD inline float depthInBall(const SculptDab& dab, Vec3f place) {
    const Vec3f way = dab.to - dab.from, to = place - dab.from;
    const float length = squaredNorm(way);
    float t = length > 0 ? dot(to, way) / length : 0.0f;
    t = t < 0 ? 0.0f : t > 1 ? 1.0f : t;
    return dab.radius - std::sqrt(squaredNorm(to - way * t));
}

/// Returns the weight of a dab: 1 in the middle of the ball, falling smoothly to 0 at its surface; 0 outside.
HD inline float sculptWeight(const SculptDab& dab, float depth) {
    if (!(depth > 0))
        return 0;
    const float fade = dab.falloff * dab.radius;
    if (depth >= fade)
        return 1;
    const float t = depth / fade;
    return t * t * (3.0f - 2.0f * t);
}

HD inline bool isFiniteValue(float value) {
    return value - value == 0.0f;
}

/// Returns the field value at a depth below the surface in metres, negative outside, limited to kSculptBand.
HD inline float valueAtDepth(const SculptDab& dab, float depth, Vec3f edges) {
    const float most = kSculptBand * largestEdge(edges);
    return dab.level + dab.slope * (depth > most ? most : depth < -most ? -most : depth);
}

/// Returns whether a dab may change the value of a node at this depth in its ball.
HD inline bool isReached(const SculptDab& dab, float depth, Vec3f edges) {
    return traitsOf(dab.tool).combinesBall ? depth > -kSculptRim * largestEdge(edges) : depth > 0;
}

/// Returns a value for a node without a value next to nodes with values. The value is extrapolated linearly
/// along the axis that leads away from the surface; NaN if there is no such axis, so that no surface grows
/// beyond its rim. `at(dx, dy, dz)`: the value of the node at that offset, NaN if it has no value.
template <class At>
HD float continuedValue(const SculptDab& dab, Vec3f edges, const At& at) {
    float best = std::numeric_limits<float>::quiet_NaN();
    float bestAway = std::numeric_limits<float>::infinity();
    for (int direction = 0; direction < 6; ++direction) {
        const int axis = direction / 2, step = direction % 2 ? 1 : -1;
        const int dx = axis == 0 ? step : 0, dy = axis == 1 ? step : 0, dz = axis == 2 ? step : 0;
        const float near = at(dx, dy, dz), far = at(2 * dx, 2 * dy, 2 * dz);
        const float value = near + (near - far);
        const float away = std::fabs(value - dab.level), before = std::fabs(near - dab.level);
        const float edge = axis == 0 ? edges.x : axis == 1 ? edges.y : edges.z;
        // false if a value is NaN
        if (away > before + 0.35f * edge * std::fabs(dab.slope) && away < bestAway) {
            best = value;
            bestAway = away;
        }
    }
    return best;
}

/// The node or cell that `clone` copies from.
struct CloneSource {
    int slot;    ///< index of the brick among eight bricks starting with firstSourceBrick(), x fastest
    Vec3i local; ///< position in that brick

    HD CloneSource(const SculptDab& dab, Vec3i node) {
        const Vec3i at = node + Vec3i{dab.shift.x & 7, dab.shift.y & 7, dab.shift.z & 7};
        slot = ((at.z >> 3) * 2 + (at.y >> 3)) * 2 + (at.x >> 3);
        local = {at.x & 7, at.y & 7, at.z & 7};
    }
    HD std::size_t node() const {
        return static_cast<std::size_t>((local.z * kBrickEdge + local.y) * kBrickEdge + local.x);
    }
};
inline constexpr int kSourceBricks = 8;
static_assert(kBrickEdge == 8);

HD inline Vec3i firstSourceBrick(const SculptDab& dab, Vec3i brick) {
    return brick + Vec3i{dab.shift.x >> 3, dab.shift.y >> 3, dab.shift.z >> 3};
}

/// Returns the value of a node, blended with the value `from` at another place by a weight from 0 to 1.
HD inline float clonedValue(float value, float from, float weight) {
    if (from != from)
        return value; // the other place has no value
    if (weight >= 1)
        return from;
    if (isFiniteValue(value) && isFiniteValue(from))
        return value + (from - value) * weight;
    return weight > 0.5f ? from : value;
}

/// Implements `fill` (union with the ball) and `carve` (difference). NaN stands for unknown values.
HD inline float combinedValue(const SculptDab& dab, float value, float depth, Vec3f edges) {
    const bool fills = dab.tool == SculptTool::fill, isKnown = value == value;
    if (!isKnown && !fills)
        return value;
    const float ball = valueAtDepth(dab, fills ? depth : -depth, edges);
    if (!isKnown)
        return ball;
    const bool takesLarger = fills == (dab.slope > 0);
    return (value > ball) == takesLarger ? value : ball;
}

/// Implements `smooth`. @param share fraction of the way to the mean of the neighbours, 0 to 1
template <class At>
HD float smoothedValue(float value, float share, const At& at) {
    if (value != value)
        return value;
    float sum = value;
    int count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const int dx = axis == 0, dy = axis == 1, dz = axis == 2;
        const float pair = at(-dx, -dy, -dz) + at(dx, dy, dz);
        if (isFiniteValue(pair)) { // use neighbours only in pairs: a single one would bias the mean on a
                                   // slope
            sum += pair;
            count += 2;
        }
    }
    return value + (sum / static_cast<float>(count) - value) * share;
}

/// Implements `flatten`. @param share fraction of the way to the plane, 0 to 1
HD inline float flattenedValue(const SculptDab& dab, float value, Vec3f place, float share, Vec3f edges) {
    const float below = dot(dab.planeAt - place, dab.planeNormal);
    const float plane = valueAtDepth(dab, below, edges);
    if (value == value)
        return value + (plane - value) * share;
    return std::fabs(below) <= 2.0f * largestEdge(edges) ? plane : value;
}

/// Implements `raise` and `lower`. @param height metres, outwards for `raise` and inwards for `lower`
template <class At>
HD float raisedValue(const SculptDab& dab, float value, float height, Vec3f edges, const At& at) {
    const float from = value == value ? value : continuedValue(dab, edges, at);
    if (from != from)
        return value; // return the original NaN: NaN bits of sums differ between processors
    const float step = dab.slope * height;
    const float moved = dab.tool == SculptTool::raise ? from + step : from - step;
    const float most = kSculptBand * largestEdge(edges) * std::fabs(dab.slope),
                off = std::fabs(moved - dab.level);
    return off > most && off > std::fabs(from - dab.level) ? from
                                                           // values outside the band do not move farther away
                                                           // from the surface
                                                           : moved;
}

/// Returns the value of a node after a dab that reaches it. @param depth see depthInBall() @param at see
/// continuedValue()
/// @param source returns the value to copy, for `clone` and `smear`
template <class At, class Source>
HD float sculptedValue(const SculptDab& dab, Vec3f place, float depth, Vec3f edges, const At& at,
                       const Source& source) {
    const float value = at(0, 0, 0);
    if (traitsOf(dab.tool).combinesBall)
        return combinedValue(dab, value, depth, edges);
    const float weight = sculptWeight(dab, depth);
    if (dab.tool == SculptTool::clone)
        return clonedValue(value, source(), weight);
    if (dab.tool == SculptTool::smear)
        return clonedValue(value == value ? value : continuedValue(dab, edges, at), source(),
                           weight * dab.strength);
    if (value == value && !isFiniteValue(value))
        return value; // infinite, as in a volume far from the surface
    const float strength = weight * dab.strength;
    if (dab.tool == SculptTool::smooth)
        return smoothedValue(value, strength, at);
    if (dab.tool == SculptTool::flatten)
        return flattenedValue(dab, value, place, strength, edges);
    return raisedValue(dab, value, strength, edges, at);
}

/// Compares the eight corners of a cell before and after a dab, for example how many are below the surface
/// level.
struct CellChange {
    int below = 0, belowBefore = 0, known = 0, knownBefore = 0;
    bool isChanged = false, isNear = false;

    HD void add(const SculptDab& dab, float before, float after, float depth, Vec3f edges) {
        below += after < dab.level;
        belowBefore += before < dab.level;
        known += after == after;
        knownBefore += before == before;
        isChanged = isChanged || !(before == after || (before != before && after != after));
        // the ball's surface crosses a cell only if its corners are at most a diagonal away from it
        isNear = isNear || std::fabs(depth) < 1.8f * largestEdge(edges);
    }
    /// Returns whether the cell may contain surface after the dab, because the dab moved the surface there. A
    /// sign change that existed before the dab but was no surface is not marked, unless the brush closes it
    /// with a plane.
    /// @param isSurface `clone`, `smear`: whether the source cell may contain surface
    HD bool marks(const SculptDab& dab, bool isSurface) const {
        if (known < 8 || below == 0 || below == 8 || !isChanged)
            return false;
        const bool wasCrossed = knownBefore == 8 && belowBefore > 0 && belowBefore < 8;
        if (traitsOf(dab.tool).combinesBall)
            return isNear;
        if (dab.tool == SculptTool::clone)
            return isSurface;
        return isSurface || traitsOf(dab.tool).usesPlane || !wasCrossed;
    }
};

} // namespace scanloupe
