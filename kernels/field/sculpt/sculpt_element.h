#pragma once
// Computes the effect of one dab on one node of a field, for both backends.
#include "kernels/field/core/scalar_field.h"
#include "kernels/field/sculpt/sculpt.h"

#include <cmath>
#include <limits>

namespace scanloupe {

/// Nodes farther than this outside the ball of a dab, in edges of a cell, keep their values. Nearer ones are
/// needed for the surface between nodes, and for its normals.
inline constexpr float kSculptRim = 2.5f;
/// Maximum distance, in edges of a cell, of the values that brushes make from the level: enough for the
/// surface and its normals, and no more, so that painting does not extend the range of the values.
inline constexpr float kSculptBand = 2;

HD inline float largestEdge(Vec3f edges) {
    const float xy = edges.x > edges.y ? edges.x : edges.y;
    return xy > edges.z ? xy : edges.z;
}

/// The depth of a place in the ball of a dab, or in all balls along its piece, metres; negative outside.
HD inline float depthInBall(const SculptDab& dab, Vec3f place) {
    const Vec3f way = dab.to - dab.from, to = place - dab.from;
    const float length = squaredNorm(way);
    float t = length > 0 ? dot(to, way) / length : 0.0f;
    t = t < 0 ? 0.0f : t > 1 ? 1.0f : t;
    return dab.radius - std::sqrt(squaredNorm(to - way * t));
}

/// 1 in the middle of the ball, falling smoothly to 0 at its end; 0 outside.
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

/// The value at a depth in metres below the surface, negative outside.
HD inline float valueAtDepth(const SculptDab& dab, float depth, Vec3f edges) {
    const float most = kSculptBand * largestEdge(edges);
    return dab.level + dab.slope * (depth > most ? most : depth < -most ? -most : depth);
}

/// Whether a dab may change the value of a node at this depth.
HD inline bool isReached(const SculptDab& dab, float depth, Vec3f edges) {
    return traitsOf(dab.tool).combinesBall ? depth > -kSculptRim * largestEdge(edges) : depth > 0;
}

/// A value for a node without one, next to nodes with values: extrapolated linearly along the axis that leads
/// away from the surface; NaN if none does, so that no surface grows beyond its rim. `at(dx, dy, dz)`: the
/// value of the node at that offset, NaN where there is none.
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
        if (away > before + 0.35f * edge * std::fabs(dab.slope) && away < bestAway) { // false for NaN
            best = value;
            bestAway = away;
        }
    }
    return best;
}

/// Where `clone` copies a node or a cell of a brick from.
struct CloneSource {
    int slot;    ///< index in the eight bricks from firstSourceBrick() on, x fastest
    Vec3i local; ///< in that brick

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

/// The value of a node that is blended with `from` of another place, by a weight from 0 to 1.
HD inline float clonedValue(float value, float from, float weight) {
    if (from != from)
        return value; // the value there is unknown
    if (weight >= 1)
        return from;
    if (isFiniteValue(value) && isFiniteValue(from))
        return value + (from - value) * weight;
    return weight > 0.5f ? from : value;
}

/// `fill` and `carve`: the union with the ball, or the difference. NaN: unknown.
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

/// `smooth`. @param share of the way to the mean of the neighbours, 0 to 1
template <class At>
HD float smoothedValue(float value, float share, const At& at) {
    if (value != value)
        return value;
    float sum = value;
    int count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        const int dx = axis == 0, dy = axis == 1, dz = axis == 2;
        const float pair = at(-dx, -dy, -dz) + at(dx, dy, dz);
        if (isFiniteValue(pair)) { // one of them alone would change a slope
            sum += pair;
            count += 2;
        }
    }
    return value + (sum / static_cast<float>(count) - value) * share;
}

/// `flatten`. @param share of the way to the plane, 0 to 1
HD inline float flattenedValue(const SculptDab& dab, float value, Vec3f place, float share, Vec3f edges) {
    const float below = dot(dab.planeAt - place, dab.planeNormal);
    const float plane = valueAtDepth(dab, below, edges);
    if (value == value)
        return value + (plane - value) * share;
    return std::fabs(below) <= 2.0f * largestEdge(edges) ? plane : value;
}

/// `raise` and `lower`. @param height metres outwards, before `lower` turns it
template <class At>
HD float raisedValue(const SculptDab& dab, float value, float height, Vec3f edges, const At& at) {
    const float from = value == value ? value : continuedValue(dab, edges, at);
    if (from != from)
        return value; // not a sum of it, whose bits differ between processors
    const float step = dab.slope * height;
    const float moved = dab.tool == SculptTool::raise ? from + step : from - step;
    const float most = kSculptBand * largestEdge(edges) * std::fabs(dab.slope),
                off = std::fabs(moved - dab.level);
    return off > most && off > std::fabs(from - dab.level) ? from
                                                           : moved; // values beyond the band do not move away
}

/// The value of a node after a dab that reaches it. @param depth see depthInBall @param at as above
/// @param source `clone`, `smear`: returns the value that it takes
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
        return value; // a value of a volume far from the surface
    const float strength = weight * dab.strength;
    if (dab.tool == SculptTool::smooth)
        return smoothedValue(value, strength, at);
    if (dab.tool == SculptTool::flatten)
        return flattenedValue(dab, value, place, strength, edges);
    return raisedValue(dab, value, strength, edges, at);
}

/// A cell's eight corners before and after a dab: which are on the lower side of the level, and so on.
struct CellChange {
    int below = 0, belowBefore = 0, known = 0, knownBefore = 0;
    bool isChanged = false, isNear = false;

    HD void add(const SculptDab& dab, float before, float after, float depth, Vec3f edges) {
        below += after < dab.level;
        belowBefore += before < dab.level;
        known += after == after;
        knownBefore += before == before;
        isChanged = isChanged || !(before == after || (before != before && after != after));
        // the surface of a ball passes at most a diagonal away
        isNear = isNear || std::fabs(depth) < 1.8f * largestEdge(edges);
    }
    /// Whether the cell may carry surface from now on: the dab has moved it there. What changed its sign
    /// before, but was no surface, stays none, unless a plane is to close it.
    /// @param isSurface `clone`, `smear`: whether the cell that it takes from may carry surface
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
