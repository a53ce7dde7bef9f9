#pragma once
// Projects points to squares of pixels, for both backends.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

/// Returns the edge length of a point's square in subpixels: `size` pixels, or `extent` metres at the point's
/// depth if that is larger (up to kLargestPoint pixels); at least one pixel, so that every point covers a
/// pixel centre.
HD inline std::int32_t pointEdge(float size, float extent, const ScreenVertex& v, const RasterView& view) {
    const float ofExtent = view.orthographic ? extent * view.scale : extent * view.scale * v.depth;
    const float pixels = ofExtent > size ? ofExtent : size;
    const float bounded = pixels < kLargestPoint ? pixels : kLargestPoint;
    return bounded > 1.0f ? snap(bounded) : kSubpixels;
}

/// Returns the pixels whose centres are in the square around a point. The upper border belongs to the square,
/// the lower one does not: a square of n pixels covers n x n of them at any position.
HD inline PixelBox pointPixels(const ScreenVertex& v, std::int32_t edge, int width, int height) {
    const std::int32_t half = edge >> 1, rest = edge - half;
    const auto first = [=](std::int32_t c) { return ((c - half - kHalfPixel) >> kSubpixelBits) + 1; };
    const auto last = [=](std::int32_t c) { return (c + rest - kHalfPixel) >> kSubpixelBits; };
    return clipped({first(v.x), first(v.y), last(v.x), last(v.y)}, width, height);
}

} // namespace scanloupe
