#include "kernels/core/parallel.h"
#include "kernels/raster/point_square.h"
#include "kernels/raster/raster_cpu.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace scanloupe {

namespace {

constexpr std::size_t kLargestCount = (std::size_t{1} << 30) - 1;
constexpr std::size_t kPixelGrain = std::size_t{1} << 16;

std::size_t pixelIndex(const VisibilityBuffer& buffer, int x, int y) {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(buffer.width) + static_cast<std::size_t>(x);
}

void requireCount(std::size_t count, const char* what) {
    if (count > kLargestCount)
        throw KernelError("a picture can show " + std::to_string(kLargestCount) + " " + what +
                              " at most, not " + std::to_string(count),
                          "Take a larger voxel size or a smaller range.");
}

void requireValid(const RasterScene& scene) {
    requireCount(scene.points.size(), "points");
    if (scene.voxels)
        requireCount(scene.voxels->size(), "voxels");
    if (scene.mesh)
        requireCount(scene.mesh->triangleCount(), "triangles");
    if (!scene.points.empty() && !(scene.pointSize > 0 && scene.pointSize <= kLargestPoint))
        throw KernelError("the point size is not between 0 and 1024 pixels",
                          "Take a point size of 1 to 1024 pixels.");
    if (scene.voxels && !(scene.voxelScale > 0 && scene.voxelScale <= 1))
        throw KernelError("the drawn part of a voxel is not above 0 and at most 1",
                          "Take a voxel scale of 0.1 to 1.");
}

} // namespace

std::uint32_t VisibilityBuffer::id(int x, int y) const {
    const std::uint64_t pixel = pixels[pixelIndex(*this, x, y)];
    return pixel == 0 ? 0 : ~static_cast<std::uint32_t>(pixel);
}

float VisibilityBuffer::depth(int x, int y, const Projection& projection) const {
    const std::uint64_t pixel = pixels[pixelIndex(*this, x, y)];
    return pixel == 0 ? std::numeric_limits<float>::infinity()
                      : depthMetres(static_cast<std::uint32_t>(pixel >> 32), projection.orthographic);
}

namespace cpu {

VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           const std::stop_token& stop) {
    const WallTimer timer;
    requireValid(scene);
    VisibilityBuffer buffer;
    buffer.width = projection.width;
    buffer.height = projection.height;
    const std::size_t count =
        static_cast<std::size_t>(buffer.width) * static_cast<std::size_t>(buffer.height);
    buffer.pixels = Buffer<std::uint64_t>::host(count);
    std::uint64_t* const pixels = buffer.pixels.data();
    parallelFor(count, kPixelGrain, stop,
                [&](std::size_t begin, std::size_t end) { std::fill(pixels + begin, pixels + end, 0); });

    stats = {};
    const RasterTarget target{pixels, rasterView(projection)};
    if (scene.mesh)
        stats.rejectedNotFinite += drawTriangles(target, scene, stop);
    if (scene.voxels)
        stats.rejectedNotFinite += drawVoxels(target, scene, stop);
    if (!scene.points.empty())
        stats.rejectedNotFinite += drawPoints(target, scene, stop);

    stats.drawnPixels = parallelReduce(
        count, kPixelGrain, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t drawn = 0;
            for (std::size_t i = begin; i < end; ++i)
                drawn += pixels[i] != 0;
            return drawn;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    stats.cost.wallMs = timer.elapsedMs();
    stats.cost.bytes = buffer.pixels.bytes();
    return buffer;
}

} // namespace cpu

} // namespace scanloupe
