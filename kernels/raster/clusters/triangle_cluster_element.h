#pragma once
// Culls one triangle cluster by view frustum and normal cone (after Karis et al., Nanite, 2021), and lays a
// fixed-point grid over its part of the screen, on which triangle_cluster_grid.h culls its triangles in
// integers. All culling is conservative: culled triangles draw no pixel, whatever the rounding.
#include "kernels/raster/clusters/triangle_clusters.h"
#include "kernels/raster/core/cull_view.h"

#include <cmath>

namespace scanloupe {

/// Maximum absolute coordinate, metres, for which products of four coordinates cannot overflow. Clusters with
/// larger coordinates stay unquantized.
inline constexpr float kClusterReach = 1e9f;

/// Number of bits for x, y and z in a vertex's word, from the lowest bit on.
inline constexpr std::uint32_t kClusterBitsX = 11, kClusterBitsY = 11, kClusterBitsZ = 10;

/// Sets the bounding box of a head.
HD inline void setBox(ClusterHead& head, Vec3f low, Vec3f high) {
    const auto step = [](float side, std::uint32_t bits) {
        const auto steps = static_cast<float>(1u << bits);
        return side * (steps / (steps - 1));
    };
    const Vec3f extent = high - low;
    head.low = low;
    head.step = {step(extent.x, kClusterBitsX), step(extent.y, kClusterBitsY), step(extent.z, kClusterBitsZ)};
}
/// Returns half the quantization step of a vertex along each axis, metres. It bounds the quantization error,
/// up to rounding.
HD inline Vec3f halfStep(const ClusterHead& head) {
    const auto part = [](std::uint32_t bits) { return 0.5f / static_cast<float>(1u << bits); };
    return {head.step.x * part(kClusterBitsX), head.step.y * part(kClusterBitsY),
            head.step.z * part(kClusterBitsZ)};
}
/// Returns the word of a vertex. @param p metres, within the head's box
HD inline std::uint32_t clusterVertex(const ClusterHead& head, Vec3f p) {
    const auto part = [](float from, float step, std::uint32_t bits) {
        const std::uint32_t last = (1u << bits) - 1;
        const float q = step > 0 ? from / step * static_cast<float>(1u << bits) + 0.5f : 0.0f;
        return q < static_cast<float>(last) ? static_cast<std::uint32_t>(q) : last;
    };
    const Vec3f from = p - head.low;
    return part(from.x, head.step.x, kClusterBitsX) |
           part(from.y, head.step.y, kClusterBitsY) << kClusterBitsX |
           part(from.z, head.step.z, kClusterBitsZ) << (kClusterBitsX + kClusterBitsY);
}

/// Returns the index of a cluster's first vertex word, relative to its first word.
HD inline std::uint32_t verticesAfter(std::uint32_t slotCount) {
    return (slotCount + kClusterAlign - 1) / kClusterAlign * kClusterAlign;
}
/// A pair of triangles (a, b, c) and (d, c, b); a single triangle has d = c. Neighbours are paired across
/// their longest edge, so that the box around both is hardly larger than the box of each.
struct ClusterPair {
    std::uint32_t a, b, c, d; ///< indices of vertices in the cluster
};
HD inline std::uint32_t pairWord(const ClusterPair& pair) {
    return pair.a | pair.b << 8 | pair.c << 16 | pair.d << 24;
}
HD inline ClusterPair clusterPair(std::uint32_t word) {
    return {word & 0xff, word >> 8 & 0xff, word >> 16 & 0xff, word >> 24};
}
/// Returns the index, in its cluster, of a slot's first triangle; the second triangle of a pair has the next
/// index.
HD inline std::uint32_t placeOfSlot(std::uint32_t slot, std::uint32_t pairs) {
    return slot < pairs ? 2 * slot : slot + pairs;
}

/// Contribution of a triangle to its cluster's normal cone.
struct ClusterFace {
    Vec3f normal; ///< unit vector; 0 for degenerate triangles and slivers
    float roundness;
};
HD inline ClusterFace clusterFace(const Vec3f (&p)[3]) {
    // Minimum roundness, which is at most 0.096 (equilateral); the normal of a less round triangle is too
    // uncertain.
    constexpr float sliver = 0.01f;
    if (p[0] == p[1] || p[0] == p[2] || p[1] == p[2])
        return {{}, kClusterReach};
    const Vec3f ab = p[1] - p[0], ac = p[2] - p[0], bc = p[2] - p[1], n = cross(ab, ac);
    const float area = norm(n), around = norm(ab) + norm(ac) + norm(bc);
    if (!(area > sliver * around * around))
        return {{}, 0};
    return {n / area, area / around};
}
/// Sets the cone of a head, whose axis is already set. @param product minimum dot product of a normal with
/// the axis @param roundness minimum over all triangles
HD inline void setCone(ClusterHead& head, float product, float roundness) {
    head.cosine = product - 2e-5f; // subtracts more than the rounding error, except of slivers
    head.roundness = head.cosine > 0 ? roundness : 0; // a cone with a half angle of 90 degrees or more is
                                                      // useless
}

/// Transform of a cluster's vertices to its fixed-point grid on the screen, and the error bound of a vertex
/// there.
struct alignas(16) ClusterGrid {
    Vec3f x, y, z;       ///< change over the whole box along x, y and z: grid units for the screen's x and y,
                         ///< metres for depth (0 in an orthographic view)
    float atX, atY, atZ; ///< position of the box's low corner, minus the change over the whole box along all
                         ///< axes
    float shiftX, shiftY; ///< offset of the grid, plus 1.5 * 2^23: adding it rounds to integers, in the low
                          ///< bits of a float
    std::uint32_t first;  ///< index of the cluster's first word
    std::uint32_t cluster;
    std::uint16_t vertices, pairs, slotCount;
    std::uint16_t unit;   ///< grid units per pixel, a power of two; pixel centres are at its multiples
    std::uint16_t margin; ///< error bound of a corner, grid units
};

enum class ClusterVisibility : std::uint8_t {
    culled,      ///< the cluster draws nothing
    onGrid,      ///< the cluster's triangles are tested on its `ClusterGrid`
    perTriangle, ///< the cluster's triangles must be tested without a grid
};

/// Returns half the extent, along `axis`, of a box with half extents `half`.
HD inline float reachAlong(Vec3f axis, Vec3f half) {
    return std::fabs(axis.x) * half.x + std::fabs(axis.y) * half.y + std::fabs(axis.z) * half.z;
}

/// A cluster's bounding box in view coordinates, with bounds of rounding errors. Screen positions are in
/// pixels from the first pixel's centre.
struct ClusterBounds {
    Vec3f middle, half;      ///< metres: the box's centre relative to the eye, and its half extents
    float size;              ///< metres: upper bound of absolute coordinates
    float nearest, farthest; ///< metres: depths of the nearest and the farthest point along the view
    float lowX, highX, lowY, highY;
    float gridError;         ///< pixels: largest distance of a vertex on the grid from where it is drawn
    float drawnError;        ///< pixels: largest distance of a drawn vertex from its exact position
    float distanceOverDepth; ///< upper bound of the ratio of distance to depth
};

/// Returns whether all of a box is in front of the near plane, or so far to one side of the picture that its
/// triangles draw nothing, clipped or not.
HD inline bool isClusterOutside(const RasterView& view, const CullView& cull, const ClusterBounds& b) {
    constexpr float wide = 1024; // margin in pixels, same as in isClearlyOutside()
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
    return beyond(cull.right, cull.sampleX, view.width) || beyond(cull.down, cull.sampleY, view.height);
}

/// Returns an upper bound of the distance, in pixels, of a drawn vertex from its exact position.
/// @param scaled one rounding error of the distance, in pixels, times the squared ratio of distance to depth
/// @param widest largest distance, in pixels, of a vertex from the view's axis, plus the distance of the axis
/// from the picture's first pixel
HD inline float drawnErrorBound(const RasterView& view, float scaled, float widest) {
    constexpr float rounding = 0x1p-24f, snapping = 0.505f / kSubpixels;
    // 12 = 2 computations of a position * 2 dot products * 3 roundings of the distance; the other terms bound
    // the remaining roundings.
    return snapping + 12 * scaled +
           4 * rounding *
               (widest + static_cast<float>(view.width + view.height) +
                static_cast<float>(view.offsetX + view.offsetY) + std::fabs(view.centreX) +
                std::fabs(view.centreY));
}

/// Returns the centre, half extents and largest coordinate of a quantized cluster's box; boundCluster() and
/// boundRoughly() derive the other bounds from these.
HD inline ClusterBounds clusterBox(const RasterView& view, const ClusterHead& head) {
    ClusterBounds b;
    b.half = head.step * (0.5f * 1.0001f);
    b.middle = fromEye(view, head.low + head.step * 0.5f);
    b.size = std::fabs(b.middle.x) + std::fabs(b.middle.y) + std::fabs(b.middle.z) + b.half.x + b.half.y +
             b.half.z;
    // includes the rounding of the box's centre in scene coordinates
    const float scene = std::fabs(head.low.x) + std::fabs(head.low.y) + std::fabs(head.low.z);
    b.half = b.half + Vec3f{1, 1, 1} * (scene * 0x1p-22f);
    const float along = dot(view.forward, b.middle),
                reach = reachAlong(view.forward, b.half) + 4e-6f * b.size;
    b.nearest = along - reach, b.farthest = along + reach;
    return b;
}

/// Computes the box on the screen and the error bounds of a cluster.
/// @param halfStep quantization error of the vertices, metres
/// @param b its box must be set by clusterBox()
/// @returns false if the box reaches in front of the near plane, or extends too far to the side for useful
/// bounds
HD inline bool boundCluster(const RasterView& view, const CullView& cull, Vec3f halfStep, ClusterBounds& b) {
    constexpr float rounding = 0x1p-24f;
    if (!(b.nearest >= cull.front))
        return false;
    // maximum and minimum of pixels per metre, divided by the scale
    const float most = view.orthographic ? 1.0f : 1.0f / b.nearest,
                least = view.orthographic ? 1.0f : 1.0f / b.farthest;
    float widest = 0, slopes = 1, steps = 0;
    const auto along = [&](Vec3f axis, float centre, float& low, float& high) {
        const float at = dot(axis, b.middle),
                    reach = reachAlong(axis, b.half) + 8 * rounding * view.scale * b.size;
        const float from = at - reach, to = at + reach;
        low = from * (from < 0 ? most : least) + centre;
        high = to * (to > 0 ? most : least) + centre;
        const float beside = std::fmax(-from, to) * most; // maximum distance from the view's axis, pixels
        widest = std::fmax(widest, beside + std::fabs(centre));
        if (!view.orthographic)
            slopes += beside * beside * view.inverseScale * view.inverseScale;
        // quantization error along the view, as displacement on the screen
        const float alongView = view.orthographic ? 0.0f : beside * reachAlong(view.forward, halfStep);
        steps = std::fmax(steps, (reachAlong(axis, halfStep) + alongView) * most);
    };
    along(cull.right, cull.sampleX, b.lowX, b.highX);
    along(cull.down, cull.sampleY, b.lowY, b.highY);
    b.distanceOverDepth = std::sqrt(slopes) * 1.001f;
    b.drawnError =
        drawnErrorBound(view, rounding * view.scale * (view.orthographic ? b.size : slopes), widest);
    // Rounding errors of a position on the grid. A sum starts in front of the box's low corner and adds up to
    // the whole box. Each of its products with an axis adds 10 rounding errors of the distance: 1 of the
    // axis, 2 of the corner, 3 of the product, 1 of its sum with the steps and 3 of their sums. The quotient
    // of two such sums has the errors of both, those of the denominator times its value, and 4 further
    // errors: at most 18.2 times `gridded`.
    const float distance = (view.orthographic ? b.size : b.distanceOverDepth * b.farthest) +
                           2 * (b.half.x + b.half.y + b.half.z);
    const float gridded = rounding * view.scale * distance * most * b.distanceOverDepth;
    b.gridError = b.drawnError + 20 * gridded + 1.02f * steps;
    return b.gridError < 2; // also false for NaN
}

/// Computes the error bounds that isFromBehind() needs, from the bounding sphere: wider than those of
/// boundCluster(), but in fewer steps. @param radius of that sphere, metres
HD inline void boundRoughly(const RasterView& view, const CullView& cull, float radius, ClusterBounds& b) {
    const float distance = norm(b.middle) + radius;
    b.distanceOverDepth = view.orthographic ? 1.0f : 1.001f * distance / b.nearest;
    // upper bound of a vertex's distance from the view's axis, pixels, divided by view.scale
    const float sides = view.orthographic ? distance : b.distanceOverDepth;
    b.drawnError = drawnErrorBound(
        view,
        0x1p-24f * view.scale * (view.orthographic ? b.size : b.distanceOverDepth * b.distanceOverDepth),
        view.scale * sides + std::fabs(cull.sampleX) + std::fabs(cull.sampleY));
}

/// Returns true if all triangles are back faces in spite of rounding: then the area of each triangle on the
/// screen stays positive when its corners move by `drawnError`. Such a movement changes twice the area by at
/// most `drawnError` times the sum of the sides' extents, plus 8 `drawnError`^2.
/// @param reach distance from the box's centre to its corners, metres
HD inline bool isFromBehind(const RasterView& view, const ClusterHead& head, const ClusterBounds& b,
                            float reach) {
    const float sine = std::sqrt(std::fmax(0.0f, 1 - head.cosine * head.cosine));
    const Vec3f towards = view.orthographic ? view.forward : b.middle;
    const float radius = view.orthographic ? 0.0f : reach;
    // minimum dot product of a normal with a direction from the eye; twice a triangle's area on the screen is
    // `scale`^2 times this, divided by depths
    const float facing = dot(head.axis, towards) * head.cosine - norm(cross(head.axis, towards)) * sine -
                         radius - 4e-6f * (view.orthographic ? 1.0f : b.size);
    const float most = view.orthographic ? 1.0f : 1.0f / b.nearest,
                least = view.orthographic ? 1.0f : 1.0f / b.farthest;
    const float share = view.orthographic ? facing : facing * least * least * least / most;
    // The sides' extents add up to at most sqrt(2) times the perimeter. If this condition is satisfied, 8
    // `drawnError`^2 adds less than 0.6.
    return share * view.scale * head.roundness >
           b.drawnError * (1.4143f * b.distanceOverDepth + 0.6f) * 1.001f;
}

HD inline void placeGrid(const RasterView& view, const CullView& cull, const ClusterHead& head,
                         const ClusterBounds& b, float unit, ClusterGrid& grid) {
    constexpr float integers = 12582912.0f; // 1.5 * 2^23: adding it rounds a float to an integer
    const Vec3f low = fromEye(view, head.low);
    const auto row = [&](Vec3f axis, float scale, float& at) {
        const Vec3f steps = head.step * axis * scale;
        at = dot(axis, low) * scale - (steps.x + steps.y + steps.z);
        return steps;
    };
    grid.x = row(cull.right, unit, grid.atX);
    grid.y = row(cull.down, unit, grid.atY);
    grid.z = row(view.forward, 1, grid.atZ);
    if (view.orthographic)
        grid.z = {}, grid.atZ = 1;
    grid.shiftX = (cull.sampleX - (std::floor(b.lowX - 2 * b.gridError) - 2)) * unit + integers;
    grid.shiftY = (cull.sampleY - (std::floor(b.lowY - 2 * b.gridError) - 2)) * unit + integers;
    grid.unit = static_cast<std::uint16_t>(unit);
    // adds the rounding to the grid, and the rounding of its offset
    grid.margin = static_cast<std::uint16_t>(b.gridError * unit + 3);
    grid.first = head.first;
    grid.vertices = static_cast<std::uint16_t>(head.vertices);
    grid.pairs = static_cast<std::uint16_t>(head.pairs);
    grid.slotCount = static_cast<std::uint16_t>(head.slotCount);
}

/// Returns true for clusters that certainly draw nothing, since they are outside the view or have only back
/// faces. Culls most clusters of a mesh in few steps.
HD inline bool isClusterCulled(const RasterView& view, const CullView& cull, const ClusterHead& head,
                               bool backFaces) {
    if (head.vertices == 0)
        return false;
    ClusterBounds b = clusterBox(view, head);
    if (!(b.size < kClusterReach))
        return false;
    if (isClusterOutside(view, cull, b))
        return true;
    if (backFaces || !(head.roundness > 0) || !(b.nearest >= cull.front))
        return false;
    const float radius = norm(b.half);
    boundRoughly(view, cull, radius, b);
    // A box that is not outside the view and spans less than about 6000 pixels has no corner that needs
    // clipping.
    constexpr float small = 2000; // pixels
    const bool isSmall =
        view.scale * radius * b.distanceOverDepth < small * (view.orthographic ? 1.0f : b.nearest);
    return isSmall && b.drawnError < 2 && isFromBehind(view, head, b, radius);
}

/// Classifies a cluster that isClusterCulled() has not culled.
/// @param grid receives the grid, except its `first` word, if the result is `onGrid`
HD inline ClusterVisibility classifyCluster(const RasterView& view, const CullView& cull,
                                            const ClusterHead& head, ClusterGrid& grid) {
    if (head.vertices == 0)
        return ClusterVisibility::perTriangle;
    ClusterBounds b = clusterBox(view, head);
    if (!(b.size < kClusterReach))
        return ClusterVisibility::perTriangle;
    if (!boundCluster(view, cull, halfStep(head), b))
        return ClusterVisibility::perTriangle;
    const auto missesCentres = [&](float low, float high, int pixels) {
        const float first = std::ceil(low - b.gridError), last = std::floor(high + b.gridError);
        return last < first || last < 0 || first > static_cast<float>(pixels - 1);
    };
    if (missesCentres(b.lowX, b.highX, view.width) || missesCentres(b.lowY, b.highY, view.height))
        return ClusterVisibility::culled;
    const float span = std::fmax(b.highX - b.lowX, b.highY - b.lowY) + 4 * b.gridError + 4;
    const float away = std::fmax(std::fabs(b.lowX - cull.sampleX), std::fabs(b.lowY - cull.sampleY)) + 8;
    // Maximum number of grid units per pixel: coordinates must fit 15 bits, and offsets must stay in the
    // range where floats are integers.
    const float units = std::fmin(32000 / span, 4e6f / away);
    if (!(units >= 4))
        return ClusterVisibility::perTriangle;
    const float unit = std::bit_cast<float>(std::bit_cast<std::uint32_t>(units) & 0x7f800000u);
    placeGrid(view, cull, head, b, unit, grid);
    return ClusterVisibility::onGrid;
}

} // namespace scanloupe
