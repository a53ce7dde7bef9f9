#pragma once
// Classifies triangles by the pixel centres that they cover, from the screen positions of their corners
// alone, before any depth is computed.
#include "kernels/raster/core/conservative_cull.h"
#include "kernels/raster/triangles/triangle_setup.h"

namespace scanloupe {

/// Screen position of a vertex: a ScreenVertex without its depth.
struct ScreenPosition {
    std::int32_t x, y; ///< 24.8 fixed-point pixels; if not drawable, kNotDrawable and the reason
};
/// value of x for a vertex that is not drawable
inline constexpr std::int32_t kNotDrawable = std::numeric_limits<std::int32_t>::min();
/// Reason, stored in y: certainly in front of the near plane. All other reasons are stored as the vertex's
/// state.
inline constexpr std::int32_t kBeforeNear = 0;

HD inline ScreenPosition screenPosition(const RasterView& view, Vec3f position) {
    const ScreenVertex v = projectVertex(view, position);
    if (v.state == ScreenVertex::drawable)
        return {v.x, v.y};
    const float z = dot(view.forward, fromEye(view, position));
    if (v.state == ScreenVertex::outside && isConservativelyBeforeNear(view, position, z))
        return {kNotDrawable, kBeforeNear};
    return {kNotDrawable, static_cast<std::int32_t>(v.state)};
}

/// Returns the screen vertex of a screen position. @param position the vertex's position in the scene
HD inline ScreenVertex vertexAt(const RasterView& view, ScreenPosition place, Vec3f position) {
    ScreenVertex v;
    if (place.x == kNotDrawable) {
        v.state = place.y == kBeforeNear ? ScreenVertex::outside : static_cast<ScreenVertex::State>(place.y);
        return v;
    }
    v.x = place.x, v.y = place.y, v.depth = screenDepth(view, position);
    return v;
}

enum class TriangleCoverage : std::uint8_t {
    nothing, ///< the triangle draws no pixel
    single,  ///< the triangle draws one pixel; its bounding box contains at most 2 x 2 pixel centres, all in
             ///< the picture
    unknown, ///< the triangle may draw any number of pixels, or has a corner that is not drawable
};

/// Edge functions of a triangle whose bounding box contains up to 2 x 2 pixel centres, and the centres that
/// it covers.
struct SmallTriangleCoverage {
    int x, y; ///< pixel of the first of these centres
    EdgeFunctions<std::int32_t> edges;
    unsigned covered; ///< bits from the lowest on: the first centre, the next one along x, along y, along
                      ///< both
};
/// Computes which of these centres a triangle covers. @param t only its corners are used @param x, y pixel of
/// the first centre @param columns, rows number of centres along x and y: 1 or 2
HD inline SmallTriangleCoverage smallTriangleCoverage(const TriangleSetup& t, int x, int y, int columns,
                                                      int rows) {
    SmallTriangleCoverage coverage{x, y, edgesAt<std::int32_t>(t, x, y), 0};
    const auto& e = coverage.edges;
    const auto covers = [&](int across, int down) {
        const auto at = [&](int i) { return e.at[i] + across * e.stepX[i] + down * e.stepY[i]; };
        return (at(0) | at(1) | at(2)) >= 0;
    };
    coverage.covered = (covers(0, 0) ? 1u : 0u) | (columns == 2 && covers(1, 0) ? 2u : 0u) |
                       (rows == 2 && covers(0, 1) ? 4u : 0u) |
                       (columns == 2 && rows == 2 && covers(1, 1) ? 8u : 0u);
    return coverage;
}

/// Returns the pixels whose centres a triangle's bounding box contains, including pixels outside the picture.
/// @param corners drawable corners
HD inline PixelBox centresOf(ScreenPosition a, ScreenPosition b, ScreenPosition c) {
    return {firstCentre(lowest(a.x, b.x, c.x)), firstCentre(lowest(a.y, b.y, c.y)),
            lastCentre(highest(a.x, b.x, c.x)), lastCentre(highest(a.y, b.y, c.y))};
}
HD inline std::int64_t twiceArea(ScreenPosition a, ScreenPosition b, ScreenPosition c) {
    return std::int64_t(b.x - a.x) * (c.y - a.y) - std::int64_t(b.y - a.y) * (c.x - a.x);
}

/// Returns true if the area and the bounding box of a triangle show that it draws nothing. @param width,
/// height of the picture, pixels
HD inline bool isCulled(ScreenPosition a, ScreenPosition b, ScreenPosition c, int width, int height,
                        bool backFaces) {
    if (lowest(a.x, b.x, c.x) == kNotDrawable)
        return a.x == b.x && b.x == c.x && (a.y | b.y | c.y) == kBeforeNear;
    const std::int64_t area = twiceArea(a, b, c);
    if (area == 0 || (area > 0 && !backFaces))
        return true;
    const PixelBox box = centresOf(a, b, c);
    return box.empty() || box.maxX < 0 || box.maxY < 0 || box.minX >= width || box.minY >= height;
}

/// Classifies a triangle exactly: always agrees with setupTriangle() and coverTriangle() for the same
/// corners.
HD inline TriangleCoverage triangleCoverage(ScreenPosition a, ScreenPosition b, ScreenPosition c, int width,
                                            int height, bool backFaces) {
    if (isCulled(a, b, c, width, height, backFaces))
        return TriangleCoverage::nothing;
    if (lowest(a.x, b.x, c.x) == kNotDrawable)
        return TriangleCoverage::unknown;
    const PixelBox box = centresOf(a, b, c);
    if (box.maxX - box.minX > 1 || box.maxY - box.minY > 1 || box.minX < 0 || box.minY < 0 ||
        box.maxX >= width || box.maxY >= height)
        return TriangleCoverage::unknown;
    const std::int64_t area = twiceArea(a, b, c);
    TriangleSetup t;
    const ScreenPosition second = area > 0 ? b : c, third = area > 0 ? c : b;
    t.x[0] = a.x, t.x[1] = second.x, t.x[2] = third.x;
    t.y[0] = a.y, t.y[1] = second.y, t.y[2] = third.y;
    const unsigned covered =
        smallTriangleCoverage(t, box.minX, box.minY, box.maxX - box.minX + 1, box.maxY - box.minY + 1)
            .covered;
    return covered == 0                     ? TriangleCoverage::nothing
           : (covered & (covered - 1)) == 0 ? TriangleCoverage::single
                                            : TriangleCoverage::unknown;
}

/// The fragment of a triangle with coverage `single`.
struct SingleFragment {
    int x, y;
    float depth;
};
HD inline SingleFragment singleFragment(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c) {
    const std::int32_t area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    TriangleSetup t;
    setCorners(a, b, c, area > 0, 1.0f / static_cast<float>(area > 0 ? area : -area), t);
    const PixelBox box = centresOf({a.x, a.y}, {b.x, b.y}, {c.x, c.y});
    const SmallTriangleCoverage coverage =
        smallTriangleCoverage(t, box.minX, box.minY, box.maxX - box.minX + 1, box.maxY - box.minY + 1);
    const int across = (coverage.covered & 0xau) != 0, down = (coverage.covered & 0xcu) != 0;
    const auto edge = [&](int i) {
        const auto& e = coverage.edges;
        return e.at[i] + e.bias[i] + across * e.stepX[i] + down * e.stepY[i];
    };
    return {coverage.x + across, coverage.y + down, depthBetween(t.depth, edge(0), edge(1), edge(2))};
}

} // namespace scanloupe
