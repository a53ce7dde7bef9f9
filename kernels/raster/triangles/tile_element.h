#pragma once
// Restricts a large triangle to a tile of the picture: computes which pixels of the tile it covers, and a
// bound of its depth there.
#include "kernels/raster/triangles/triangle_setup.h"

#include <cmath>

namespace scanloupe {

inline constexpr int kTileEdge = 64; ///< width and height of a tile, pixels

/// A triangle restricted to a tile. Edge functions are divided by kSubpixels and rounded down. Their signs
/// are unchanged, since their steps are multiples of kSubpixels. Edge functions that change sign within the
/// tile then fit 32 bits.
struct TileTriangle {
    std::int64_t exact[3];             ///< edge functions at the tile's first pixel, without their biases
    std::int32_t exactX[3], exactY[3]; ///< steps of `exact` to the next pixel, divided by kSubpixels
    std::int32_t at[3]; ///< edge functions at the tile's first pixel, see above; 0 for an edge with the whole
                        ///< tile inside
    std::int32_t stepX[3], stepY[3];
    float depth[3];              ///< same as in TriangleSetup
    float bound, boundX, boundY; ///< upper bound of the depth value times `sign`: its value at the first
                                 ///< pixel, and its steps to the next pixel
    std::uint32_t id;
    bool whole; ///< the triangle covers the whole tile
};

/// Restricts a triangle to the tile at (x0, y0). @param sign depth values are multiplied by it, so that
/// nearer ones are larger @returns false if the triangle covers no pixel of the tile
HD inline bool overTile(const TriangleSetup& t, int x0, int y0, double sign, TileTriangle& out) {
    constexpr int last = kTileEdge - 1;
    if (t.box.minX > x0 + last || t.box.maxX < x0 || t.box.minY > y0 + last || t.box.maxY < y0)
        return false;
    const EdgeFunctions<std::int64_t> e = edgesAt<std::int64_t>(t, x0, y0);
    out.whole = true;
    double at = 0, alongX = 0, alongY = 0;
    for (int i = 0; i < 3; ++i) {
        const std::int64_t acrossX = last * e.stepX[i], acrossY = last * e.stepY[i];
        const std::int64_t lowest = e.at[i] + (acrossX < 0 ? acrossX : 0) + (acrossY < 0 ? acrossY : 0);
        const std::int64_t highest = e.at[i] + (acrossX > 0 ? acrossX : 0) + (acrossY > 0 ? acrossY : 0);
        if (highest < 0)
            return false;
        out.exact[i] = e.at[i] + e.bias[i];
        out.exactX[i] = static_cast<std::int32_t>(e.stepX[i] / kSubpixels);
        out.exactY[i] = static_cast<std::int32_t>(e.stepY[i] / kSubpixels);
        out.depth[i] = t.depth[i];
        const bool inside = lowest >= 0;
        out.whole = out.whole && inside;
        out.at[i] = inside ? 0 : static_cast<std::int32_t>(e.at[i] >> kSubpixelBits);
        out.stepX[i] = inside ? 0 : out.exactX[i];
        out.stepY[i] = inside ? 0 : out.exactY[i];
        const double weight = sign * static_cast<double>(t.depth[i]);
        at += static_cast<double>(e.at[i] + e.bias[i]) * weight;
        alongX += static_cast<double>(e.stepX[i]) * weight;
        alongY += static_cast<double>(e.stepY[i]) * weight;
    }
    // adds 16 rounding errors of the largest number in either computation of a depth value
    const double reach = std::fabs(at) + last * (std::fabs(alongX) + std::fabs(alongY));
    out.bound = static_cast<float>(at + reach * 0x1p-20);
    out.boundX = static_cast<float>(alongX);
    out.boundY = static_cast<float>(alongY);
    return true;
}

/// Returns the depth value of a pixel; every way of drawing a triangle computes the same value. @param x, y
/// relative to the tile's first pixel
HD inline float exactDepth(const TileTriangle& t, int x, int y) {
    const std::int32_t acrossX = x * kSubpixels, acrossY = y * kSubpixels;
    const auto edge = [&](int i) {
        return t.exact[i] + static_cast<std::int64_t>(t.exactX[i]) * acrossX +
               static_cast<std::int64_t>(t.exactY[i]) * acrossY;
    };
    return depthBetween(t.depth, edge(0), edge(1), edge(2));
}

} // namespace scanloupe
