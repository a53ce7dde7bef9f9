#pragma once
// One cluster in a view: whether it can be seen, and a grid on the screen, finer than its triangles, where
// they are looked at in integers. What is found invisible surely draws nothing; so does what is passed over
// here.
#include "kernels/raster/fast_view.h"
#include "kernels/raster/triangle_clusters.h"

#include <cmath>

namespace scanloupe {

/// Metres up to which products of four coordinates are safe from overflow; what reaches beyond is loose.
inline constexpr float kClusterReach = 1e9f;

/// How many of a vertex's bits are for axis 0, 1 or 2.
HD inline std::uint32_t clusterBits(const ClusterHead& head, int axis) {
    return head.bits >> (8 * axis) & 0xff;
}
/// Sets a head's box, with 32 bits shared out so that all steps are about as long.
HD inline void setBox(ClusterHead& head, Vec3f low, Vec3f high) {
    constexpr int all = 32, most = 20;
    const Vec3f extent = high - low;
    Vec3f rest = extent;
    Vec3i bits;
    for (int i = 0; i < all; ++i) { // one by one to the side with the longest steps
        const bool x = rest.x >= rest.y && rest.x >= rest.z, y = !x && rest.y >= rest.z, z = !x && !y;
        bits.x += x, bits.y += y, bits.z += z && bits.z < most; // all may be no numbers
        rest.x = !x ? rest.x : bits.x < most ? rest.x * 0.5f : -1.0f;
        rest.y = !y ? rest.y : bits.y < most ? rest.y * 0.5f : -1.0f;
        rest.z = !z ? rest.z : bits.z < most ? rest.z * 0.5f : -1.0f;
    }
    const auto step = [](float side, int count) {
        const auto steps = static_cast<float>(1 << count);
        return side * (count > 0 ? steps / (steps - 1) : 2.0f);
    };
    head.low = low;
    head.step = {step(extent.x, bits.x), step(extent.y, bits.y), step(extent.z, bits.z)};
    head.bits = static_cast<std::uint32_t>(bits.x | bits.y << 8 | bits.z << 16);
}
/// A vertex's word. @param p within the head's box
HD inline std::uint32_t clusterVertex(const ClusterHead& head, Vec3f p) {
    std::uint32_t word = 0, at = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint32_t bits = clusterBits(head, axis), last = (1u << bits) - 1;
        const float from = (p - head.low)[axis], step = head.step[axis];
        const float q = step > 0 ? from / step * static_cast<float>(1u << bits) + 0.5f : 0.0f;
        const std::uint32_t value = q < static_cast<float>(last) ? static_cast<std::uint32_t>(q) : last;
        word |= value << (at & 31); // 0 of an axis without bits, behind all others
        at += bits;
    }
    return word;
}

/// What a triangle adds to its cluster's cone.
struct ClusterFace {
    Vec3f normal; ///< unit; 0 for what draws nothing from anywhere
    float roundness;
};
HD inline ClusterFace clusterFace(const Vec3f (&p)[3]) {
    constexpr float sliver = 0.01f; // of 0.096 at most; below, a normal is too uncertain
    if (p[0] == p[1] || p[0] == p[2] || p[1] == p[2])
        return {{}, kClusterReach};
    const Vec3f ab = p[1] - p[0], ac = p[2] - p[0], bc = p[2] - p[1], n = cross(ab, ac);
    const float area = norm(n), around = norm(ab) + norm(ac) + norm(bc);
    if (!(area > sliver * around * around))
        return {{}, 0};
    return {n / area, area / around};
}
/// @param product the least of a normal with the axis, @param roundness the least
HD inline void setCone(ClusterHead& head, float product, float roundness) {
    head.cosine = product - 2e-5f;                    // more than rounding adds for what is no sliver
    head.roundness = head.cosine > 0 ? roundness : 0; // half a turn and more is no cone
}

/// How a cluster's vertices get onto its grid, and what a triangle there may be off by.
struct ClusterGrid {
    Vec3f x, y, z;             ///< grid units and metres of all steps; z is 0 in an orthographic view
    float atX, atY, atZ;       ///< at the box's low corner, less one of each
    float shiftX, shiftY;      ///< of the grid, with what leaves integers in a float's low bits
    std::uint32_t bits;        ///< of a vertex along x, y, z
    std::uint32_t first, size; ///< its vertices
    std::uint16_t unit;        ///< units of a pixel, a power of two; pixel centres are its multiples
    std::uint16_t margin;      ///< units by which a corner can be off
};

enum class ClusterFate : std::uint8_t {
    hidden,   ///< draws nothing
    onGrid,   ///< `ClusterGrid` is what its triangles are looked at on
    oneByOne, ///< they have to be looked at without it
};

/// Sums of absolute products: how far a box of half that extent reaches along `axis`.
HD inline float reachAlong(Vec3f axis, Vec3f half) {
    return std::fabs(axis.x) * half.x + std::fabs(axis.y) * half.y + std::fabs(axis.z) * half.z;
}

/// A cluster's box in the view, with bounds of what rounding adds. Metres, and pixels from the first pixel's
/// centre.
struct ClusterBounds {
    Vec3f middle, half;      ///< relative to the eye
    float size;              ///< no coordinate is larger
    float nearest, farthest; ///< along the view
    float lowX, highX, lowY, highY;
    float off;   ///< pixels: by which a vertex on the grid can be beside where it is drawn
    float exact; ///< pixels: by which a vertex can be drawn beside where it lies
    float slope; ///< at least the ratio of distance to depth
};

/// Whether all of a box lies before the near plane or so far to one side of the picture that it draws
/// nothing, be it clipped or not.
HD inline bool isClusterOutside(const RasterView& view, const FastView& fast, const ClusterBounds& b) {
    constexpr float wide = 1024; // pixels, as for triangles that are clipped
    constexpr float rounding = 0x1p-21f;
    if (b.farthest < view.nearPlane)
        return true;
    const auto beyond = [&](Vec3f axis, float centre, int pixels) {
        const float at = dot(axis, b.middle), reach = reachAlong(axis, b.half);
        const float w = view.orthographic ? 1.0f : dot(view.forward, b.middle);
        const float wReach = view.orthographic ? 0.0f : reachAlong(view.forward, b.half);
        const float before = centre + wide, after = static_cast<float>(pixels) + wide - centre;
        const float slack = rounding * (view.scale + std::fabs(before) + std::fabs(after)) * (b.size + 1.0f);
        return at + reach + before * w + std::fabs(before) * wReach < -slack ||
               at - reach - after * w - std::fabs(after) * wReach > slack;
    };
    return beyond(fast.right, fast.sampleX, view.width) || beyond(fast.down, fast.sampleY, view.height);
}

/// False for boxes that reach before the near plane or too far to the side for bounds of use.
/// @param halfStep of the vertices, metres
HD inline bool boundCluster(const RasterView& view, const FastView& fast, Vec3f halfStep, ClusterBounds& b) {
    constexpr float rounding = 0x1p-24f, snapping = 0.505f / kSubpixels;
    if (!(b.nearest >= fast.front))
        return false;
    const float most = view.orthographic ? 1.0f : 1.0f / b.nearest, // pixels of a metre, over the scale
        least = view.orthographic ? 1.0f : 1.0f / b.farthest;
    float widest = 0, slopes = 1, steps = 0;
    const auto along = [&](Vec3f axis, float centre, float& low, float& high) {
        const float at = dot(axis, b.middle),
                    reach = reachAlong(axis, b.half) + 8 * rounding * view.scale * b.size;
        const float from = at - reach, to = at + reach;
        low = from * (from < 0 ? most : least) + centre;
        high = to * (to > 0 ? most : least) + centre;
        const float beside = std::fmax(-from, to) * most; // from the view's axis
        widest = std::fmax(widest, beside + std::fabs(centre));
        if (!view.orthographic)
            slopes += beside * beside * view.inverseScale * view.inverseScale;
        // along the picture and along the view
        const float alongView = view.orthographic ? 0.0f : beside * reachAlong(view.forward, halfStep);
        steps = std::fmax(steps, (reachAlong(axis, halfStep) + alongView) * most);
    };
    along(fast.right, fast.sampleX, b.lowX, b.highX);
    along(fast.down, fast.sampleY, b.lowY, b.highY);
    b.slope = std::sqrt(slopes) * 1.001f;
    // both ways to the screen make 3 roundings of the distance in each of two dot products, and some more
    const float scaled = rounding * view.scale * (view.orthographic ? b.size : slopes);
    const float places =
        4 * rounding *
        (widest + static_cast<float>(view.width + view.height) +
         static_cast<float>(view.offsetX + view.offsetY) + std::fabs(view.centreX) + std::fabs(view.centreY));
    b.exact = snapping + 12 * scaled + places;
    // on the grid, sums begin at the box's corner and go over all of its steps
    const float gridded = view.orthographic ? scaled : rounding * view.scale * b.size * most * b.slope;
    b.off = b.exact + 36 * std::fmax(scaled, gridded) + 1.02f * steps;
    return b.off < 2; // false for what is no number
}

/// True when all triangles are seen from behind by more than their corners can be off: each one's area on the
/// screen stays positive when its corners move by `exact`, which changes twice the area by at most `exact`
/// times the sum of its sides' extents, plus 8 `exact`^2.
HD inline bool isFromBehind(const RasterView& view, const ClusterHead& head, const ClusterBounds& b) {
    if (!(head.roundness > 0))
        return false;
    const float sine = std::sqrt(std::fmax(0.0f, 1 - head.cosine * head.cosine));
    const Vec3f towards = view.orthographic ? view.forward : b.middle;
    const float radius = view.orthographic ? 0.0f : norm(b.half);
    // least product of a normal with a way from the eye; twice the area is `scale`^2 times that over depths
    const float facing = dot(head.axis, towards) * head.cosine - norm(cross(head.axis, towards)) * sine -
                         radius - 4e-6f * (view.orthographic ? 1.0f : b.size);
    const float most = view.orthographic ? 1.0f : 1.0f / b.nearest,
                least = view.orthographic ? 1.0f : 1.0f / b.farthest;
    const float share = view.orthographic ? facing : facing * least * least * least / most;
    // sides' extents sum up to sqrt(2) times a perimeter; where this holds, 8 `exact`^2 adds below 0.6
    return share * view.scale * head.roundness > b.exact * (1.4143f * b.slope + 0.6f) * 1.001f;
}

HD inline void placeGrid(const RasterView& view, const FastView& fast, const ClusterHead& head,
                         const ClusterBounds& b, float unit, ClusterGrid& grid) {
    constexpr float integers = 12582912.0f; // 1.5 * 2^23
    const Vec3f low = fromEye(view, head.low);
    const auto row = [&](Vec3f axis, float scale, float& at) {
        const Vec3f steps = head.step * axis * scale;
        at = dot(axis, low) * scale - (steps.x + steps.y + steps.z);
        return steps;
    };
    grid.x = row(fast.right, unit, grid.atX);
    grid.y = row(fast.down, unit, grid.atY);
    grid.z = row(view.forward, 1, grid.atZ);
    if (view.orthographic)
        grid.z = {}, grid.atZ = 1;
    grid.shiftX = (fast.sampleX - (std::floor(b.lowX - 2 * b.off) - 2)) * unit + integers;
    grid.shiftY = (fast.sampleY - (std::floor(b.lowY - 2 * b.off) - 2)) * unit + integers;
    grid.bits = head.bits;
    grid.unit = static_cast<std::uint16_t>(unit);
    grid.margin = static_cast<std::uint16_t>(b.off * unit + 3); // rounding to the grid, and its shift's
    grid.first = head.first, grid.size = head.vertices;
}

/// @param grid written where the fate is `onGrid`
HD inline ClusterFate placeCluster(const RasterView& view, const FastView& fast, const ClusterHead& head,
                                   bool backFaces, ClusterGrid& grid) {
    if (head.vertices == 0)
        return ClusterFate::oneByOne;
    ClusterBounds b;
    b.half = head.step * (0.5f * 1.0001f);
    b.middle = fromEye(view, head.low + head.step * 0.5f);
    b.size = std::fabs(b.middle.x) + std::fabs(b.middle.y) + std::fabs(b.middle.z) + b.half.x + b.half.y +
             b.half.z;
    // rounding of the way to the middle, in the scene's own coordinates, too
    const float scene = std::fabs(head.low.x) + std::fabs(head.low.y) + std::fabs(head.low.z);
    b.half = b.half + Vec3f{1, 1, 1} * (scene * 0x1p-22f);
    const float along = dot(view.forward, b.middle),
                reach = reachAlong(view.forward, b.half) + 4e-6f * b.size;
    b.nearest = along - reach, b.farthest = along + reach;
    if (!(b.size < kClusterReach))
        return ClusterFate::oneByOne;
    if (isClusterOutside(view, fast, b))
        return ClusterFate::hidden;
    Vec3f halfStep;
    for (int axis = 0; axis < 3; ++axis)
        // of very many steps, single precision takes a share for itself
        halfStep[axis] = head.step[axis] * (clusterBits(head, axis) > 14 ? 0.7f : 0.5f) /
                         static_cast<float>(1u << clusterBits(head, axis));
    if (!boundCluster(view, fast, halfStep, b))
        return ClusterFate::oneByOne;
    const auto missesCentres = [&](float low, float high, int pixels) {
        const float first = std::ceil(low - b.off), last = std::floor(high + b.off);
        return last < first || last < 0 || first > static_cast<float>(pixels - 1);
    };
    if (missesCentres(b.lowX, b.highX, view.width) || missesCentres(b.lowY, b.highY, view.height))
        return ClusterFate::hidden;
    const float span = std::fmax(b.highX - b.lowX, b.highY - b.lowY) + 4 * b.off + 4;
    const float away = std::fmax(std::fabs(b.lowX - fast.sampleX), std::fabs(b.lowY - fast.sampleY)) + 8;
    // of a pixel at most: coordinates have 15 bits, and shifts stay where floats are integers
    const float units = std::fmin(32000 / span, 4e6f / away);
    if (!(units >= 4))
        return ClusterFate::oneByOne;
    if (!backFaces && isFromBehind(view, head, b))
        return ClusterFate::hidden;
    const float unit = std::bit_cast<float>(std::bit_cast<std::uint32_t>(units) & 0x7f800000u);
    placeGrid(view, fast, head, b, unit, grid);
    return ClusterFate::onGrid;
}

/// Where the bits of a vertex go to.
struct ClusterDecode {
    std::uint32_t left[3], mask[3]; ///< of x, y, z: to the highest bits of a float's fraction
};
HD inline ClusterDecode clusterDecode(std::uint32_t bits) {
    ClusterDecode decode{};
    std::uint32_t end = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const std::uint32_t own = bits >> (8 * axis) & 0xff;
        end += own;
        decode.left[axis] = (23 - end) & 31; // bits that have come from the other side are masked off
        decode.mask[axis] = 0x7fffffu & ~(0x7fffffu >> own);
    }
    return decode;
}

/// A vertex's place: x in the lower and y in the upper 16 bits.
/// @param reciprocal float -> float, right to two units in the last place
/// @param rotated (word, bits to the left) -> word
template <class Reciprocal, class Rotated>
HD inline std::uint32_t gridCorner(const ClusterGrid& grid, const ClusterDecode& decode, std::uint32_t vertex,
                                   Reciprocal&& reciprocal, Rotated&& rotated) {
    const auto part = [&](int axis) { // 1 + a share of all steps
        return std::bit_cast<float>((rotated(vertex, decode.left[axis]) & decode.mask[axis]) | 0x3f800000u);
    };
    const float x = part(0), y = part(1), z = part(2);
    const auto along = [&](Vec3f row, float at) {
        return std::fma(row.x, x, std::fma(row.y, y, std::fma(row.z, z, at)));
    };
    const float inverse = reciprocal(along(grid.z, grid.atZ));
    const auto u = std::bit_cast<std::uint32_t>(std::fma(along(grid.x, grid.atX), inverse, grid.shiftX)),
               v = std::bit_cast<std::uint32_t>(std::fma(along(grid.y, grid.atY), inverse, grid.shiftY));
    return (u & 0xffffu) | v << 16;
}

/// Whether a box may hold a pixel's centre. @param low, high of its corners, x and y each
HD inline bool mayHoldCentre(const ClusterGrid& grid, std::uint32_t low, std::uint32_t high) {
    const std::uint32_t both = 0x10001u;
    const std::uint32_t unit = grid.unit, margin = grid.margin;
    const std::uint32_t pixels = (high + margin * both) ^ (low - (margin + 1) * both),
                        bits = (0x10000u - unit) * both; // which number a pixel
    return (pixels & bits & 0xffffu) != 0 && (pixels & bits & 0xffff0000u) != 0;
}

/// True for triangles that draw nothing, however rounding falls, of those that may hold a centre.
HD inline bool isSurelyInvisible(const ClusterGrid& grid, std::uint32_t a, std::uint32_t b, std::uint32_t c,
                                 bool backFaces) {
    const auto x = [](std::uint32_t corner) { return static_cast<std::int32_t>(corner & 0xffffu); };
    const auto y = [](std::uint32_t corner) { return static_cast<std::int32_t>(corner >> 16); };
    const auto low = [](std::int32_t p, std::int32_t q, std::int32_t r) {
        return p < q ? (p < r ? p : r) : (q < r ? q : r);
    };
    const auto high = [](std::int32_t p, std::int32_t q, std::int32_t r) {
        return p > q ? (p > r ? p : r) : (q > r ? q : r);
    };
    const std::int32_t unit = grid.unit, margin = grid.margin;
    const std::int32_t minX = low(x(a), x(b), x(c)), maxX = high(x(a), x(b), x(c)),
                       minY = low(y(a), y(b), y(c)), maxY = high(y(a), y(b), y(c));
    // as for corners by the quick way
    const std::int32_t square = 8 * margin * margin,
                       slack = 2 * margin * (maxX - minX + maxY - minY) + square;
    const std::int32_t abX = x(b) - x(a), abY = y(b) - y(a), acX = x(c) - x(a), acY = y(c) - y(a);
    const std::int32_t area = abX * acY - abY * acX;
    if (!backFaces && area > slack)
        return true;
    const std::int32_t centreX = (maxX + margin) & -unit, centreY = (maxY + margin) & -unit; // the last one
    const bool one = centreX - unit < minX - margin && centreY - unit < minY - margin;
    if (!one || (area <= slack && area >= -slack))
        return false;
    const std::int32_t aX = centreX - x(a), aY = centreY - y(a), bX = centreX - x(b), bY = centreY - y(b),
                       cX = centreX - x(c), cY = centreY - y(c);
    const auto size = [](std::int32_t v) { return v < 0 ? -v : v; };
    const std::int32_t toA = size(aX) + size(aY), toB = size(bX) + size(bY), toC = size(cX) + size(cY);
    const std::int32_t beyondAb = abX * aY - abY * aX, beyondAc = aX * acY - aY * acX,
                       beyondBc = area - beyondAb - beyondAc;
    const std::int32_t sign = area > 0 ? 1 : -1;
    return sign * beyondAb < -margin * (toA + toB) - square ||
           sign * beyondAc < -margin * (toA + toC) - square ||
           sign * beyondBc < -margin * (toB + toC) - square;
}

} // namespace scanloupe
