#pragma once
// Iterates over the points of a scene on all cores of the CPU.
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_scene.h"
#include "kernels/raster/points/point_square.h"
#include "kernels/raster/points/tiled_points.h"

#include <algorithm>

namespace scanloupe::cpu {

/// Calls take(point, its screen vertex, its pixels) for each drawable point of a list, on all cores. Item i
/// of `count` is point `at(i)` of the scene; indices after the scene's last point are skipped. @returns the
/// number of points that are not finite
template <class At, class Take>
std::uint64_t forEachPoint(const RasterView& view, const RasterScene& scene, std::size_t count, At&& at,
                           Take&& take, const std::stop_token& stop) {
    // Large squares are drawn by tiles, and cover some hundreds of tiles and border pixels each.
    const float pixels = mayHaveTiledPoints(scene) ? float(kTiledPixels) : scene.pointSize * scene.pointSize;
    const auto pixelsEach = std::max<std::int64_t>(1, std::int64_t(pixels));
    const auto grain = static_cast<std::size_t>(std::max<std::int64_t>(1, (1 << 19) / (32 + pixelsEach)));
    return parallelReduce(
        count, grain, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t rejected = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const std::size_t point = at(i);
                if (point >= scene.points.size())
                    continue;
                const ScreenVertex v = projectVertex(view, scene.points[point]);
                rejected += v.state == ScreenVertex::notFinite;
                if (v.state == ScreenVertex::drawable)
                    take(static_cast<std::uint32_t>(point), v,
                         pointPixels(v, pointEdge(scene.pointSize, scene.pointExtent, v, view), view.width,
                                     view.height));
            }
            return rejected;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

} // namespace scanloupe::cpu
