// Rasterizes a scene into a visibility buffer on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/core/rasterizer.h"
#include "kernels/raster/points/points_cpu.h"
#include "kernels/raster/triangles/triangles_cpu.h"
#include "kernels/raster/voxels/voxels_cpu.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr std::size_t kPixelGrain = std::size_t{1} << 16;

} // namespace

namespace cpu {

VisibilityBuffer emptyBuffer(const Projection& projection, const std::stop_token& stop) {
    VisibilityBuffer buffer;
    buffer.width = projection.width;
    buffer.height = projection.height;
    const std::size_t count =
        static_cast<std::size_t>(buffer.width) * static_cast<std::size_t>(buffer.height);
    buffer.pixels = Buffer<std::uint64_t>::host(count);
    std::uint64_t* const pixels = buffer.pixels.data();
    parallelFor(count, kPixelGrain, stop,
                [=](std::size_t begin, std::size_t end) { std::fill(pixels + begin, pixels + end, 0); });
    return buffer;
}

std::uint64_t countDrawn(const VisibilityBuffer& buffer, const std::stop_token& stop) {
    const std::uint64_t* const pixels = buffer.pixels.data();
    return parallelReduce(
        buffer.pixels.size(), kPixelGrain, stop, std::uint64_t{0},
        [=](std::size_t begin, std::size_t end) {
            std::uint64_t drawn = 0;
            for (std::size_t i = begin; i < end; ++i)
                drawn += pixels[i] != 0;
            return drawn;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
}

VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           const std::stop_token& stop) {
    const WallTimer timer;
    requireDrawable(scene);
    VisibilityBuffer buffer = emptyBuffer(projection, stop);
    stats = {};
    const RasterTarget target{buffer.pixels.data(), rasterView(projection)};
    if (scene.mesh)
        stats.rejectedNotFinite += drawTriangles(target, scene, stop);
    if (scene.voxels)
        stats.rejectedNotFinite += drawVoxels(target, scene, stop);
    if (!scene.points.empty())
        stats.rejectedNotFinite += drawPoints(target, scene, stop);
    stats.drawnPixels = countDrawn(buffer, stop);
    stats.cost.wallMs = timer.elapsedMs();
    stats.cost.bytes = buffer.pixels.bytes();
    return buffer;
}

} // namespace cpu

} // namespace scanloupe
