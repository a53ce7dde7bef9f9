#pragma once
// A quick look that finds most of what can't be seen: fused operations and any reciprocal that is right to
// two units in the last place, within the bounds of FastView. It never finds what draws something.
#include "kernels/raster/fast_view.h"

#include <cmath>

namespace scanloupe {

inline constexpr float kLargestFast = 1e30f; ///< metres or pixels; what is not below may be no number

/// A corner or a point by the quick way: pixels from the first pixel's centre, and metres along the view.
struct FastVertex {
    float x, y, z;
};

/// @param reciprocal float -> float
template <bool Orthographic, class Reciprocal>
HD FastVertex fastVertex(const RasterView& view, const FastView& fast, Vec3f position,
                         Reciprocal&& reciprocal) {
    const Vec3f q = fromEye(view, position);
    const auto along = [&](const Vec3f& axis) {
        return std::fma(axis.x, q.x, std::fma(axis.y, q.y, axis.z * q.z));
    };
    const float z = along(view.forward);
    const float inverse = Orthographic ? 1.0f : reciprocal(z);
    return {std::fma(along(fast.right), inverse, fast.sampleX),
            std::fma(along(fast.down), inverse, fast.sampleY), z};
}

/// True when a finite position surely lies before the near plane.
HD inline bool isSurelyBefore(const RasterView& view, Vec3f position, float z) {
    const Vec3f q = fromEye(view, position);
    const float size = std::fabs(q.x) + std::fabs(q.y) + std::fabs(q.z);
    return size < kLargestFast && z + 2e-6f * size < view.nearPlane;
}

/// A corner as far as the quick look at triangles needs it: pixels from the first pixel's centre, within
/// `FastView::margin` where a triangle is small. Both infinite: above 0 where only the exact way can tell,
/// below it for what surely lies before the near plane.
struct FastCorner {
    float x, y;
};

template <bool Orthographic, class Reciprocal>
HD FastCorner fastCorner(const RasterView& view, const FastView& fast, Vec3f position,
                         Reciprocal&& reciprocal) {
    const float infinite = std::bit_cast<float>(0x7f800000u);
    const FastVertex v = fastVertex<Orthographic>(view, fast, position, reciprocal);
    if (v.z >= fast.front && v.z < fast.farthest && std::fabs(v.x) + std::fabs(v.y) < kLargestFast)
        return {v.x, v.y};
    const bool before = v.z < fast.front && isSurelyBefore(view, position, v.z);
    return before ? FastCorner{-infinite, -infinite} : FastCorner{infinite, infinite};
}

/// True for triangles that draw nothing, however rounding falls, and have finite corners.
HD inline bool isSurelyInvisible(const FastView& fast, FastCorner a, FastCorner b, FastCorner c,
                                 bool backFaces) {
    const float minX = std::fmin(a.x, std::fmin(b.x, c.x)), maxX = std::fmax(a.x, std::fmax(b.x, c.x));
    const float minY = std::fmin(a.y, std::fmin(b.y, c.y)), maxY = std::fmax(a.y, std::fmax(b.y, c.y));
    const float extentX = maxX - minX, extentY = maxY - minY;
    if (!(extentX < kFastExtent && extentY < kFastExtent)) {
        if (!(extentX + extentY < kLargestFast))
            return maxX < -kLargestFast; // all of them lie before the near plane
        if (!(maxX < -1.5f || maxY < -1.5f || minX > fast.lastX || minY > fast.lastY))
            return false;
    }
    if (maxX < -1.5f || maxY < -1.5f || minX > fast.lastX || minY > fast.lastY)
        return std::fmax(std::fmax(std::fabs(minX), std::fabs(maxX)),
                         std::fmax(std::fabs(minY), std::fabs(maxY))) < fast.widest;
    const float margin = fast.margin;
    const float centreX = std::floor(maxX + margin),
                centreY = std::floor(maxY + margin); // the last in the box
    if (centreX < minX - margin || centreY < minY - margin)
        return true; // between the centres
    // by corners that are off by the margin: twice an area, then edge functions at the centre
    const float square = 8.1f * margin * margin;
    const float slack = 2.02f * margin * (extentX + extentY) + square;
    const float abX = b.x - a.x, abY = b.y - a.y, acX = c.x - a.x, acY = c.y - a.y;
    const float area = abX * acY - abY * acX;
    if (!backFaces && area > slack)
        return true;
    const bool one = centreX - 1 < minX - margin && centreY - 1 < minY - margin;
    if (!one || !(std::fabs(area) > slack))
        return false;
    // past the one centre in the box: an edge function there changes by the ways from it to the edge's ends
    const float aX = centreX - a.x, aY = centreY - a.y;
    const float beyondAb = abX * aY - abY * aX, beyondAc = aX * acY - aY * acX,
                beyondBc = area - beyondAb - beyondAc;
    const float toA = std::fabs(aX) + std::fabs(aY), toB = std::fabs(aX - abX) + std::fabs(aY - abY),
                toC = std::fabs(aX - acX) + std::fabs(aY - acY);
    const float reach = 1.02f * margin, sign = area > 0 ? 1.0f : -1.0f;
    return sign * beyondAb < -reach * (toA + toB) - square ||
           sign * beyondAc < -reach * (toA + toC) - square || sign * beyondBc < -reach * (toB + toC) - square;
}

/// A point that lies in the picture and surely in one pixel of it.
struct QuickPoint {
    bool beyond; ///< surely beyond the near plane, and in the picture; otherwise fastPoint() has to tell
    bool sure;   ///< draws the pixel at `place`, with a key between `farthest` and `nearest`
    std::uint32_t place, nearest, farthest;

    HD int x() const { return static_cast<int>(place & 0xffffu); }
    HD int y() const { return static_cast<int>(place >> 16); }
};
/// The usual case of fastPoint(), without a branch.
template <bool Orthographic, class Reciprocal>
HD QuickPoint quickPoint(const RasterView& view, const FastView& fast, Vec3f position,
                         Reciprocal&& reciprocal) {
    const Vec3f q = fromEye(view, position);
    const auto along = [&](const Vec3f& axis) {
        return std::fma(axis.x, q.x, std::fma(axis.y, q.y, axis.z * q.z));
    };
    const float z = along(view.forward);
    const float inverse = Orthographic ? 1.0f : reciprocal(z);
    const float px = std::fma(along(fast.right), inverse, fast.sampleX),
                py = std::fma(along(fast.down), inverse, fast.sampleY);
    // as in fastPoint(); what is too large to add to, or not a number, is past the picture's end by its bits
    constexpr float shift = 12582912.0f;
    const float shiftedX = px + shift, shiftedY = py + shift;
    const float offX = px - (shiftedX - shift), offY = py - (shiftedY - shift);
    const float nearest = Orthographic ? z - fast.depthSlack : inverse * fast.depthSlack;
    const float farthest = Orthographic ? z + fast.depthSlack : inverse * fast.depthLeast;
    QuickPoint point;
    point.farthest = depthKey(farthest, Orthographic);
    const std::uint32_t x = std::bit_cast<std::uint32_t>(shiftedX) - std::bit_cast<std::uint32_t>(shift),
                        y = std::bit_cast<std::uint32_t>(shiftedY) - std::bit_cast<std::uint32_t>(shift);
    point.place = y << 16 | x;
    point.nearest = depthKey(nearest, Orthographic);
    point.beyond = static_cast<bool>((z >= fast.front) & (x < static_cast<std::uint32_t>(view.width)) &
                                     (y < static_cast<std::uint32_t>(view.height)));
    const float clear = 0.5f - fast.margin; // of the pixel's border
    point.sure = static_cast<bool>(point.beyond & (z < fast.farthest) & (std::fabs(offX) < clear) &
                                   (std::fabs(offY) < clear) & (nearest > 0));
    return point;
}

/// What a point of one pixel draws at the most.
struct FastPoint {
    enum Fate : std::uint8_t {
        nothing,  ///< before the near plane, or beside the picture
        onePixel, ///< pixel (x, y), with a key of `nearest` at most
        unknown,  ///< needs an exact look
    };
    Fate fate = unknown;
    int x = 0, y = 0;
    std::uint32_t nearest = 0;
};

template <bool Orthographic, class Reciprocal>
HD FastPoint fastPoint(const RasterView& view, const FastView& fast, Vec3f position,
                       Reciprocal&& reciprocal) {
    FastPoint point;
    const FastVertex p = fastVertex<Orthographic>(view, fast, position, reciprocal);
    if (!(p.z >= fast.front)) {
        point.fate = isSurelyBefore(view, position, p.z) ? FastPoint::nothing : FastPoint::unknown;
        return point;
    }
    if (!(p.z < fast.farthest && std::fabs(p.x) + std::fabs(p.y) < kLargestFast))
        return point;
    // adding 1.5 * 2^23 leaves the nearest integer in the low bits: the pixel, since centres are integers
    constexpr float shift = 12582912.0f;
    const float shiftedX = p.x + shift, shiftedY = p.y + shift;
    const float offX = p.x - (shiftedX - shift), offY = p.y - (shiftedY - shift);
    const std::uint32_t x = std::bit_cast<std::uint32_t>(shiftedX) - std::bit_cast<std::uint32_t>(shift),
                        y = std::bit_cast<std::uint32_t>(shiftedY) - std::bit_cast<std::uint32_t>(shift);
    if (x >= static_cast<std::uint32_t>(view.width) || y >= static_cast<std::uint32_t>(view.height)) {
        if ((p.x < -1.5f || p.y < -1.5f || p.x > fast.lastX || p.y > fast.lastY) &&
            std::fmax(std::fabs(p.x), std::fabs(p.y)) < fast.widest)
            point.fate = FastPoint::nothing;
        return point;
    }
    const float clear = 0.5f - fast.margin; // of the pixel's border
    if (!(std::fabs(offX) < clear && std::fabs(offY) < clear))
        return point;
    const float nearest = Orthographic ? p.z - fast.depthSlack : reciprocal(p.z) * fast.depthSlack;
    if (!(nearest > 0))
        return point;
    return {FastPoint::onePixel, static_cast<int>(x), static_cast<int>(y), depthKey(nearest, Orthographic)};
}

} // namespace scanloupe
