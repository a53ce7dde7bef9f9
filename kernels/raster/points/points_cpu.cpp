// Draws points on the CPU.
#include "kernels/raster/points/points_cpu.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/core/raster_target.h"
#include "kernels/raster/points/point_subset.h"
#include "kernels/raster/points/points_loop.h"
#include "kernels/raster/points/tiled_points.h"

#include <optional>

namespace scanloupe::cpu {

namespace {

template <class At>
std::uint64_t drawEach(const RasterTarget& target, const RasterScene& scene, std::size_t count, At&& at,
                       const std::stop_token& stop) {
    std::optional<TiledTarget> tiles;
    if (mayHaveTiledPoints(scene))
        tiles.emplace(target);
    const auto take = [&](std::uint32_t point, const ScreenVertex& v, const PixelBox& box) {
        const std::uint64_t value =
            fragment(depthKey(v.depth, target.view.orthographic), primitiveId(PrimitiveKind::point, point));
        if (tiles && !box.empty() && box.count() > kTiledPixels) {
            tiles->draw(box, value);
            return;
        }
        for (int y = box.minY; y <= box.maxY; ++y)
            for (int x = box.minX; x <= box.maxX; ++x)
                target.draw(x, y, value);
    };
    const std::uint64_t rejected = forEachPoint(target.view, scene, count, at, take, stop);
    if (tiles)
        tiles->flushToPixels(stop);
    return rejected;
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
                        PointSubset part, const std::stop_token& stop) {
    return drawEach(
        targetOf(to, scene, projection), scene, itemsOfSubset(part, scene.points.size()),
        [part](std::size_t i) { return pointOfSubset(part, i); }, stop);
}

void addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
               std::span<const std::uint32_t> points, const std::stop_token& stop) {
    drawEach(
        targetOf(to, scene, projection), scene, points.size(),
        [points](std::size_t i) { return std::size_t{points[i]}; }, stop);
}

} // namespace scanloupe::cpu
