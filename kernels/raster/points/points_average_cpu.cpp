// Sums the colours of the points in each pixel, on the CPU.
#include "kernels/raster/points/points_average_cpu.h"

#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/points/points_loop.h"
#include "kernels/raster/points/tiled_points.h"

#include <atomic>
#include <optional>

namespace scanloupe::cpu {

Buffer<PointSums> sumPoints(const VisibilityBuffer& visibility, const RasterScene& scene,
                            const ResolveView& resolve, const std::stop_token& stop) {
    auto sums = Buffer<PointSums>::host(visibility.pixels.size());
    parallelFor(sums.size(), 1 << 16, stop, [&sums](std::size_t begin, std::size_t end) {
        std::fill(sums.data() + begin, sums.data() + end, PointSums{});
    });
    const RasterView& view = resolve.view;
    const auto add = [](std::uint64_t& to, std::uint64_t value) {
        std::atomic_ref<std::uint64_t>(to).fetch_add(value, std::memory_order_relaxed);
    };
    std::optional<TiledSums> tiles;
    if (mayHaveTiledPoints(scene))
        tiles.emplace(visibility, view.orthographic, stop);
    const auto take = [&](std::uint32_t point, const ScreenVertex& v, const PixelBox& box) {
        const std::uint32_t colour = colourOf(resolve.pointColour, point);
        const auto addTo = [&](PointSums& sum) {
            add(sum.red, channel(colour, 0));
            add(sum.green, channel(colour, 1));
            add(sum.blue, channel(colour, 2));
            add(sum.count, 1);
        };
        if (tiles && !box.empty() && box.count() > kTiledPixels) {
            tiles->add(box, v.depth, sums.data(), addTo);
            return;
        }
        for (int y = box.minY; y <= box.maxY; ++y) {
            for (int x = box.minX; x <= box.maxX; ++x) {
                const auto at = static_cast<std::size_t>(y) * static_cast<std::size_t>(view.width) +
                                static_cast<std::size_t>(x);
                if (isAveraged(v.depth, visibility.pixels[at], view.orthographic))
                    addTo(sums[at]);
            }
        }
    };
    forEachPoint(
        view, scene, scene.points.size(), [](std::size_t i) { return i; }, take, stop);
    if (tiles)
        tiles->flushToPixels(sums.data(), stop);
    return sums;
}

} // namespace scanloupe::cpu
