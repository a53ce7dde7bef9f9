#pragma once
// Culls triangles and points conservatively, in single precision with fused operations and any reciprocal
// that is within two units in the last place, for both backends. Within the error bounds of CullView it never
// culls a primitive that draws a pixel.
#include "kernels/raster/core/cull_view.h"

#include <cmath>

namespace scanloupe {

/// Maximum magnitude of metres or pixels for culling; larger values may become infinite or NaN.
inline constexpr float kLargestCullable = 1e30f;

/// An approximately projected vertex or point: pixels from the first pixel's centre, and metres along the
/// view.
struct ApproximateVertex {
    float x, y, z;
};

/// Projects a position approximately. @param reciprocal float -> float
template <bool Orthographic, class Reciprocal>
HD ApproximateVertex approximateVertex(const RasterView& view, const CullView& cull, Vec3f position,
                                       Reciprocal&& reciprocal) {
    const Vec3f q = fromEye(view, position);
    const auto along = [&](const Vec3f& axis) {
        return std::fma(axis.x, q.x, std::fma(axis.y, q.y, axis.z * q.z));
    };
    const float z = along(view.forward);
    const float inverse = Orthographic ? 1.0f : reciprocal(z);
    return {std::fma(along(cull.right), inverse, cull.sampleX),
            std::fma(along(cull.down), inverse, cull.sampleY), z};
}

/// Returns whether a finite position is certainly in front of the near plane.
HD inline bool isConservativelyBeforeNear(const RasterView& view, Vec3f position, float z) {
    const Vec3f q = fromEye(view, position);
    const float size = std::fabs(q.x) + std::fabs(q.y) + std::fabs(q.z);
    return size < kLargestCullable && z + 2e-6f * size < view.nearPlane;
}

/// The approximate screen position of a triangle's corner: pixels from the first pixel's centre, within
/// `CullView::margin` if the triangle is small. Both coordinates are +infinity if only the exact projection
/// can decide, and -infinity for a corner that is certainly in front of the near plane.
struct ApproximateCorner {
    float x, y;
};

template <bool Orthographic, class Reciprocal>
HD ApproximateCorner approximateCorner(const RasterView& view, const CullView& cull, Vec3f position,
                                       Reciprocal&& reciprocal) {
    const float infinite = std::bit_cast<float>(0x7f800000u);
    const ApproximateVertex v = approximateVertex<Orthographic>(view, cull, position, reciprocal);
    if (v.z >= cull.front && v.z < cull.farthest && std::fabs(v.x) + std::fabs(v.y) < kLargestCullable)
        return {v.x, v.y};
    const bool before = v.z < cull.front && isConservativelyBeforeNear(view, position, v.z);
    return before ? ApproximateCorner{-infinite, -infinite} : ApproximateCorner{infinite, infinite};
}

/// Returns whether a triangle with finite corners certainly draws no pixel, whatever the rounding.
HD inline bool isConservativelyCulled(const CullView& cull, ApproximateCorner a, ApproximateCorner b,
                                      ApproximateCorner c, bool backFaces) {
    const float minX = std::fmin(a.x, std::fmin(b.x, c.x)), maxX = std::fmax(a.x, std::fmax(b.x, c.x));
    const float minY = std::fmin(a.y, std::fmin(b.y, c.y)), maxY = std::fmax(a.y, std::fmax(b.y, c.y));
    const float extentX = maxX - minX, extentY = maxY - minY;
    if (!(extentX < kCullExtent && extentY < kCullExtent)) {
        if (!(extentX + extentY < kLargestCullable))
            return maxX < -kLargestCullable; // all corners are in front of the near plane
        if (!(maxX < -1.5f || maxY < -1.5f || minX > cull.lastX || minY > cull.lastY))
            return false;
    }
    if (maxX < -1.5f || maxY < -1.5f || minX > cull.lastX || minY > cull.lastY)
        return std::fmax(std::fmax(std::fabs(minX), std::fabs(maxX)),
                         std::fmax(std::fabs(minY), std::fabs(maxY))) < cull.widest;
    const float margin = cull.margin;
    const float centreX = std::floor(maxX + margin),
                centreY = std::floor(maxY + margin); // last pixel centre in the box
    if (centreX < minX - margin || centreY < minY - margin)
        return true; // the box contains no pixel centre
    // Error bounds, for corners that are off by the margin: of twice the area, then of edge functions at the
    // pixel centre.
    const float square = 8.1f * margin * margin;
    const float slack = 2.02f * margin * (extentX + extentY) + square;
    const float abX = b.x - a.x, abY = b.y - a.y, acX = c.x - a.x, acY = c.y - a.y;
    const float area = abX * acY - abY * acX;
    if (!backFaces && area > slack)
        return true;
    const bool one = centreX - 1 < minX - margin && centreY - 1 < minY - margin;
    if (!one || !(std::fabs(area) > slack))
        return false;
    // Checks whether the only pixel centre in the box is outside an edge. An edge function there changes with
    // the corners, in proportion to the distances from the centre to the edge's ends.
    const float aX = centreX - a.x, aY = centreY - a.y;
    const float beyondAb = abX * aY - abY * aX, beyondAc = aX * acY - aY * acX,
                beyondBc = area - beyondAb - beyondAc;
    const float toA = std::fabs(aX) + std::fabs(aY), toB = std::fabs(aX - abX) + std::fabs(aY - abY),
                toC = std::fabs(aX - acX) + std::fabs(aY - acY);
    const float reach = 1.02f * margin, sign = area > 0 ? 1.0f : -1.0f;
    return sign * beyondAb < -reach * (toA + toB) - square ||
           sign * beyondAc < -reach * (toA + toC) - square || sign * beyondBc < -reach * (toB + toC) - square;
}

/// Bounds of a projected point: its pixel and its depth keys.
struct PointBounds {
    bool beyond; ///< the point is certainly beyond the near plane and in the picture; if false,
                 ///< pointCoverage() decides
    bool sure;   ///< the point certainly draws only the pixel at `place`, with a key between `farthest` and
                 ///< `nearest`
    std::uint32_t place, nearest, farthest;

    HD int x() const { return static_cast<int>(place & 0xffffu); }
    HD int y() const { return static_cast<int>(place >> 16); }
};
/// Bounds a point without branches: the usual case of pointCoverage().
template <bool Orthographic, class Reciprocal>
HD PointBounds boundPoint(const RasterView& view, const CullView& cull, Vec3f position,
                          Reciprocal&& reciprocal) {
    const Vec3f q = fromEye(view, position);
    const auto along = [&](const Vec3f& axis) {
        return std::fma(axis.x, q.x, std::fma(axis.y, q.y, axis.z * q.z));
    };
    const float z = along(view.forward);
    const float inverse = Orthographic ? 1.0f : reciprocal(z);
    const float px = std::fma(along(cull.right), inverse, cull.sampleX),
                py = std::fma(along(cull.down), inverse, cull.sampleY);
    // as in pointCoverage(); NaN, and values too large for the addition, give bits past the picture's end
    constexpr float shift = 12582912.0f;
    const float shiftedX = px + shift, shiftedY = py + shift;
    const float offX = px - (shiftedX - shift), offY = py - (shiftedY - shift);
    const float nearest = Orthographic ? z - cull.depthSlack : inverse * cull.depthSlack;
    const float farthest = Orthographic ? z + cull.depthSlack : inverse * cull.depthLeast;
    PointBounds point;
    point.farthest = depthKey(farthest, Orthographic);
    const std::uint32_t x = std::bit_cast<std::uint32_t>(shiftedX) - std::bit_cast<std::uint32_t>(shift),
                        y = std::bit_cast<std::uint32_t>(shiftedY) - std::bit_cast<std::uint32_t>(shift);
    point.place = y << 16 | x;
    point.nearest = depthKey(nearest, Orthographic);
    point.beyond = static_cast<bool>((z >= cull.front) & (x < static_cast<std::uint32_t>(view.width)) &
                                     (y < static_cast<std::uint32_t>(view.height)));
    const float clear = 0.5f - cull.margin; // maximum distance from the pixel's centre for which a point is
                                            // certainly inside the pixel's border
    point.sure = static_cast<bool>(point.beyond & (z < cull.farthest) & (std::fabs(offX) < clear) &
                                   (std::fabs(offY) < clear) & (nearest > 0));
    return point;
}

/// Upper bound of what a point of one pixel draws.
struct PointCoverage {
    enum Kind : std::uint8_t {
        nothing,  ///< the point is in front of the near plane, or outside the picture
        onePixel, ///< the point draws at most pixel (x, y), with a depth key of at most `nearest`
        unknown,  ///< the point must be projected exactly
    };
    Kind kind = unknown;
    int x = 0, y = 0;
    std::uint32_t nearest = 0;
};

template <bool Orthographic, class Reciprocal>
HD PointCoverage pointCoverage(const RasterView& view, const CullView& cull, Vec3f position,
                               Reciprocal&& reciprocal) {
    PointCoverage point;
    const ApproximateVertex p = approximateVertex<Orthographic>(view, cull, position, reciprocal);
    if (!(p.z >= cull.front)) {
        point.kind =
            isConservativelyBeforeNear(view, position, p.z) ? PointCoverage::nothing : PointCoverage::unknown;
        return point;
    }
    if (!(p.z < cull.farthest && std::fabs(p.x) + std::fabs(p.y) < kLargestCullable))
        return point;
    // adding 1.5 * 2^23 leaves the nearest integer in the low bits: the pixel, since centres are integers
    constexpr float shift = 12582912.0f;
    const float shiftedX = p.x + shift, shiftedY = p.y + shift;
    const float offX = p.x - (shiftedX - shift), offY = p.y - (shiftedY - shift);
    const std::uint32_t x = std::bit_cast<std::uint32_t>(shiftedX) - std::bit_cast<std::uint32_t>(shift),
                        y = std::bit_cast<std::uint32_t>(shiftedY) - std::bit_cast<std::uint32_t>(shift);
    if (x >= static_cast<std::uint32_t>(view.width) || y >= static_cast<std::uint32_t>(view.height)) {
        if ((p.x < -1.5f || p.y < -1.5f || p.x > cull.lastX || p.y > cull.lastY) &&
            std::fmax(std::fabs(p.x), std::fabs(p.y)) < cull.widest)
            point.kind = PointCoverage::nothing;
        return point;
    }
    const float clear = 0.5f - cull.margin; // maximum distance from the pixel's centre for which a point is
                                            // certainly inside the pixel's border
    if (!(std::fabs(offX) < clear && std::fabs(offY) < clear))
        return point;
    const float nearest = Orthographic ? p.z - cull.depthSlack : reciprocal(p.z) * cull.depthSlack;
    if (!(nearest > 0))
        return point;
    return {PointCoverage::onePixel, static_cast<int>(x), static_cast<int>(y),
            depthKey(nearest, Orthographic)};
}

} // namespace scanloupe
