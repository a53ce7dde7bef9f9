#include "kernels/core/parallel.h"
#include "kernels/raster/point_square.h"
#include "kernels/raster/raster_cpu.h"

#include <algorithm>

namespace scanloupe::cpu {

std::uint64_t drawPoints(const RasterTarget& target, const RasterScene& scene, const std::stop_token& stop) {
    const RasterView view = target.view;
    // points near the eye may be larger, but there can't be many of them in the picture
    const auto pixelsEach = std::max<std::int64_t>(1, std::int64_t(scene.pointSize * scene.pointSize));
    const auto grain = static_cast<std::size_t>(std::max<std::int64_t>(1, (1 << 19) / (32 + pixelsEach)));
    return parallelReduce(
        scene.points.size(), grain, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t rejected = 0;
            for (std::size_t i = begin; i < end; ++i) {
                const ScreenVertex v = projectVertex(view, scene.points[i]);
                rejected += v.state == ScreenVertex::notFinite;
                if (v.state != ScreenVertex::drawable)
                    continue;
                const PixelBox box = pointPixels(v, pointEdge(scene.pointSize, scene.pointExtent, v, view),
                                                 view.width, view.height);
                const std::uint64_t value =
                    fragment(depthKey(v.depth, view.orthographic),
                             primitiveId(PrimitiveKind::point, static_cast<std::uint32_t>(i)));
                for (int y = box.minY; y <= box.maxY; ++y)
                    for (int x = box.minX; x <= box.maxX; ++x)
                        target.draw(x, y, value);
            }
            return rejected;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

} // namespace scanloupe::cpu
