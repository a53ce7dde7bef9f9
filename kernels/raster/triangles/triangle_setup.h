#pragma once
// Sets up and covers triangles by integer edge functions (Pineda, 1988) at pixel centres under the top-left
// rule, so that each pixel on an edge that two triangles share belongs to exactly one of them.
#include "kernels/raster/core/raster_element.h"

namespace scanloupe {

/// A triangle with positive area on the screen (y down), ready to be covered.
struct TriangleSetup {
    std::int32_t x[3], y[3]; ///< corners, 24.8 fixed-point pixels
    float depth[3];          ///< depth value of each corner divided by `area`
    PixelBox box;            ///< pixels whose centres the bounding box contains, within the picture
};

/// Extent of a triangle, in subpixels, below which all edge functions fit 32 bits.
inline constexpr std::int32_t kNarrowExtent = 1 << 14;

HD inline std::int32_t lowest(std::int32_t p, std::int32_t q, std::int32_t r) {
    return p < q ? (p < r ? p : r) : (q < r ? q : r);
}
HD inline std::int32_t highest(std::int32_t p, std::int32_t q, std::int32_t r) {
    return p > q ? (p > r ? p : r) : (q > r ? q : r);
}
/// Returns the first pixel whose centre is >= a coordinate (subpixels).
HD inline int firstCentre(std::int32_t v) {
    return (v + kHalfPixel - 1) >> kSubpixelBits;
}
HD inline int lastCentre(std::int32_t v) {
    return (v - kHalfPixel) >> kSubpixelBits;
}

/// Sets the corners and their depths, in an order with positive area.
/// @param inOrder whether (a, b, c) has a positive area
/// @param inverse 1 / the absolute area
HD inline void setCorners(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c, bool inOrder,
                          float inverse, TriangleSetup& t) {
    const ScreenVertex& second = inOrder ? b : c;
    const ScreenVertex& third = inOrder ? c : b;
    t.x[0] = a.x, t.x[1] = second.x, t.x[2] = third.x;
    t.y[0] = a.y, t.y[1] = second.y, t.y[2] = third.y;
    t.depth[0] = a.depth * inverse, t.depth[1] = second.depth * inverse, t.depth[2] = third.depth * inverse;
}

/// Sets up a triangle. Front faces run counter-clockwise on the screen. @returns false if nothing is drawn:
/// no pixel centre in the bounding box, no area, or an unwanted back face
HD inline bool setupTriangle(const ScreenVertex& a, const ScreenVertex& b, const ScreenVertex& c, int width,
                             int height, bool backFaces, TriangleSetup& t) {
    const std::int32_t minX = lowest(a.x, b.x, c.x), maxX = highest(a.x, b.x, c.x),
                       minY = lowest(a.y, b.y, c.y), maxY = highest(a.y, b.y, c.y);
    t.box =
        clipped({firstCentre(minX), firstCentre(minY), lastCentre(maxX), lastCentre(maxY)}, width, height);
    if (t.box.empty())
        return false;
    const std::int32_t abX = b.x - a.x, abY = b.y - a.y, acX = c.x - a.x, acY = c.y - a.y;
    std::int64_t area;
    float inverse;
    // the common case, which needs only half the bits
    if (maxX - minX < kNarrowExtent && maxY - minY < kNarrowExtent) {
        const std::int32_t narrow = abX * acY - abY * acX;
        area = narrow;
        inverse = 1.0f / static_cast<float>(narrow > 0 ? narrow : -narrow);
    } else {
        area = std::int64_t(abX) * acY - std::int64_t(abY) * acX;
        inverse = 1.0f / static_cast<float>(area > 0 ? area : -area);
    }
    if (area == 0 || (area > 0 && !backFaces))
        return false;
    setCorners(a, b, c, area > 0, inverse, t);
    return true;
}

/// Returns true if 32-bit edge functions suffice for a triangle.
HD inline bool isNarrow(const TriangleSetup& t) {
    const auto extent = [](const std::int32_t* v) {
        const std::int32_t low = v[0] < v[1] ? v[0] : v[1], high = v[0] < v[1] ? v[1] : v[0];
        return (high > v[2] ? high : v[2]) - (low < v[2] ? low : v[2]);
    };
    return extent(t.x) < kNarrowExtent && extent(t.y) < kNarrowExtent;
}

/// Edge functions of a triangle at a pixel's centre; edge i is opposite corner i.
template <class Int>
struct EdgeFunctions {
    Int at[3];              ///< values minus `bias`: the pixel is covered if all are >= 0
    Int stepX[3], stepY[3]; ///< change of the values to the next pixel along x and along y
    Int bias[3]; ///< 0 for top and left edges, to which pixel centres on the edge belong, otherwise 1
};

template <class Int>
HD inline EdgeFunctions<Int> edgesAt(const TriangleSetup& t, int x, int y) {
    const std::int32_t px = x * kSubpixels + kHalfPixel, py = y * kSubpixels + kHalfPixel;
    EdgeFunctions<Int> e;
    for (int i = 0; i < 3; ++i) {
        const int a = i == 2 ? 0 : i + 1, b = i == 0 ? 2 : i - 1;
        const Int dx = t.x[b] - t.x[a], dy = t.y[b] - t.y[a];
        e.bias[i] = dy < 0 || (dy == 0 && dx > 0) ? 0 : 1;
        e.at[i] = dx * (py - t.y[a]) - dy * (px - t.x[a]) - e.bias[i];
        e.stepX[i] = -dy * kSubpixels;
        e.stepY[i] = dx * kSubpixels;
    }
    return e;
}

/// Returns the depth value from the edge functions without their biases. These are the weights of the corners
/// and have the same sign, so depth does not lose precision whatever the size of the triangle.
template <class Int>
HD inline float depthBetween(const float* depth, Int e0, Int e1, Int e2) {
    return static_cast<float>(e0) * depth[0] + static_cast<float>(e1) * depth[1] +
           static_cast<float>(e2) * depth[2];
}

/// Calls take(x, y, depth value) for every covered pixel of rows [firstRow, lastRow], a part of the bounding
/// box.
template <class Int, class Take>
HD inline void coverTriangle(const TriangleSetup& t, int firstRow, int lastRow, Take&& take) {
    constexpr int kSpanWidth = 8; // for boxes of at least this extent, each row is restricted to its covered
                                  // span first
    const EdgeFunctions<Int> edges = edgesAt<Int>(t, t.box.minX, firstRow);
    Int row[3] = {edges.at[0], edges.at[1], edges.at[2]};
    const Int *stepX = edges.stepX, *stepY = edges.stepY, *bias = edges.bias;
    const int columns = t.box.maxX - t.box.minX;
    for (int y = firstRow; y <= lastRow; ++y) {
        Int first = 0, last = columns;
        if (columns >= kSpanWidth) {
            for (int i = 0; i < 3; ++i) {
                if (stepX[i] > 0 && row[i] < 0) {
                    const Int from = (-row[i] + stepX[i] - 1) / stepX[i];
                    first = from > first ? from : first;
                } else if (stepX[i] < 0 && row[i] >= 0) {
                    const Int to = row[i] / -stepX[i];
                    last = to < last ? to : last;
                } else if (row[i] < 0) {
                    last = -1;
                }
            }
        }
        if (first > last)
            last = -1, first = 0; // avoids overflow of the products below
        Int e0 = row[0] + first * stepX[0], e1 = row[1] + first * stepX[1], e2 = row[2] + first * stepX[2];
        for (Int x = first; x <= last; ++x) {
            if ((e0 | e1 | e2) >= 0)
                take(t.box.minX + static_cast<int>(x), y,
                     depthBetween(t.depth, e0 + bias[0], e1 + bias[1], e2 + bias[2]));
            e0 += stepX[0], e1 += stepX[1], e2 += stepX[2];
        }
        row[0] += stepY[0], row[1] += stepY[1], row[2] += stepY[2];
    }
}

} // namespace scanloupe
