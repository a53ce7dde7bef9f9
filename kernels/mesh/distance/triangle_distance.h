#pragma once
// Computes distances from a point to boxes and triangles, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"

#include <cfloat>

namespace scanloupe {

/// An axis-aligned box; empty if `low` is above `high`.
struct Box3f {
    Vec3f low, high;
};

/// Returns the empty box.
HD constexpr Box3f emptyBox() {
    return {{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

HD inline Box3f joined(const Box3f& a, const Box3f& b) {
    return {min(a.low, b.low), max(a.high, b.high)};
}
HD inline Vec3f boxCentre(const Box3f& box) {
    return box.low * 0.5f + box.high * 0.5f;
}

/// Returns a lower bound of the squared distance from `p` to anything inside a box: the squared distance to
/// the box, reduced by the rounding error of single precision.
HD inline float squaredDistanceLowerBound(const Box3f& box, Vec3f p) {
    constexpr float rounding = 1.0f - 1e-6f;
    const Vec3f zero{};
    const Vec3f outside = max(max(box.low - p, p - box.high), zero);
    return squaredNorm(outside) * rounding;
}

/// Returns the squared distance from the origin to the segment from `a` along `ab`. A segment of zero length
/// is the point `a`.
HD inline double squaredDistanceToSegment(Vec3d a, Vec3d ab) {
    const double along = -dot(a, ab), whole = squaredNorm(ab);
    if (!(along > 0.0))
        return squaredNorm(a);
    const Vec3d foot = a + ab * (along < whole ? along / whole : 1.0);
    return squaredNorm(foot);
}

/// Returns the squared distance from `p` to the triangle a, b, c, including its sides and corners. Computed
/// in double precision, since the normals of narrow triangles lose all digits in single precision.
HD inline double squaredDistanceToTriangle(Vec3f p, Vec3f cornerA, Vec3f cornerB, Vec3f cornerC) {
    const Vec3d origin = p.as<double>();
    const Vec3d a = cornerA.as<double>() - origin, b = cornerB.as<double>() - origin,
                c = cornerC.as<double>() - origin;
    const Vec3d ab = b - a, bc = c - b, ca = a - c;
    const Vec3d normal = cross(ab, bc);
    const double area = squaredNorm(normal);
    // the foot of the perpendicular is on the inner side of all three sides
    if (area > 0.0 && dot(cross(a, ab), normal) >= 0.0 && dot(cross(b, bc), normal) >= 0.0 &&
        dot(cross(c, ca), normal) >= 0.0) {
        const double height = dot(a, normal);
        return height * height / area;
    }
    const double onAb = squaredDistanceToSegment(a, ab), onBc = squaredDistanceToSegment(b, bc),
                 onCa = squaredDistanceToSegment(c, ca);
    const double least = onAb < onBc ? onAb : onBc;
    return least < onCa ? least : onCa;
}

} // namespace scanloupe
