#include "kernels/core/parallel.h"
#include "kernels/raster/point_part.h"
#include "kernels/raster/point_square.h"
#include "kernels/raster/raster_checks.h"
#include "kernels/raster/raster_cpu.h"

#include <algorithm>

namespace scanloupe::cpu {

namespace {

/// Draws `count` points, the i-th of them point `at(i)` of the scene; one past its end is none. @returns how
/// many are not finite
template <class At>
std::uint64_t drawEach(const RasterTarget& target, const RasterScene& scene, std::size_t count, At&& at,
                       const std::stop_token& stop) {
    const RasterView view = target.view;
    // points near the eye may be larger, but there can't be many of them in the picture
    const auto pixelsEach = std::max<std::int64_t>(1, std::int64_t(scene.pointSize * scene.pointSize));
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
                if (v.state != ScreenVertex::drawable)
                    continue;
                const PixelBox box = pointPixels(v, pointEdge(scene.pointSize, scene.pointExtent, v, view),
                                                 view.width, view.height);
                const std::uint64_t value =
                    fragment(depthKey(v.depth, view.orthographic),
                             primitiveId(PrimitiveKind::point, static_cast<std::uint32_t>(point)));
                for (int y = box.minY; y <= box.maxY; ++y)
                    for (int x = box.minX; x <= box.maxX; ++x)
                        target.draw(x, y, value);
            }
            return rejected;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

RasterTarget targetOf(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection) {
    requireDrawable(scene);
    requireSize(to, projection);
    return {to.pixels.data(), rasterView(projection)};
}

} // namespace

std::uint64_t drawPoints(const RasterTarget& target, const RasterScene& scene, const std::stop_token& stop) {
    return drawEach(
        target, scene, scene.points.size(), [](std::size_t i) { return i; }, stop);
}

std::uint64_t addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
                        PointPart part, const std::stop_token& stop) {
    return drawEach(
        targetOf(to, scene, projection), scene, itemsOfPart(part, scene.points.size()),
        [part](std::size_t i) { return pointOfPart(part, i); }, stop);
}

void addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
               std::span<const std::uint32_t> points, const std::stop_token& stop) {
    drawEach(
        targetOf(to, scene, projection), scene, points.size(),
        [points](std::size_t i) { return std::size_t{points[i]}; }, stop);
}

} // namespace scanloupe::cpu
