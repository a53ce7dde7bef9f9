// Rasterizes and shades single frames on the device.
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/point_part.h"
#include "kernels/raster/raster_checks.h"

namespace scanloupe::cuda {

namespace {

std::size_t pixelsOf(const Projection& projection) {
    return static_cast<std::size_t>(projection.width) * static_cast<std::size_t>(projection.height);
}

void throwIfStopped(const std::stop_token& stop) {
    if (stop.stop_requested())
        throw Cancelled();
}

} // namespace

VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           const std::stop_token& stop, StreamView stream) {
    const WallTimer wall;
    throwIfStopped(stop);
    const RasterSpace space(scene, 0, {}, stream);
    VisibilityBuffer buffer{projection.width, projection.height,
                            Buffer<std::uint64_t>::in(MemorySpace::device, pixelsOf(projection), stream)};
    const RasterWork work = space.work(scene, projection, {}, buffer.pixels.data(), nullptr);
    EventTimer timer(stream);
    queueDrawing(work, stream);
    queueCount(work, stream);
    timer.stop();
    stats = space.stats(stream);
    throwIfStopped(stop);
    stats.cost.deviceMs = timer.elapsedMs();
    stats.cost.bytes = buffer.pixels.bytes();
    stats.cost.wallMs = wall.elapsedMs();
    return buffer;
}

Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, const std::stop_token& stop, StreamView stream) {
    throwIfStopped(stop);
    requireShadable(visibility, projection, shading);
    const RasterSpace space(scene, pixelsOf(projection), stream);
    Image image{projection.width, projection.height,
                Buffer<std::uint32_t>::in(MemorySpace::device, pixelsOf(projection), stream)};
    // shading reads the pixels only
    const RasterWork work =
        space.work(scene, projection, shading, const_cast<std::uint64_t*>(visibility.pixels.data()),
                   image.pixels.data());
    queueResetCounts(work, stream);
    queueResolve(work, stream);
    static_cast<void>(space.stats(stream)); // throws for a buffer of another scene
    throwIfStopped(stop);
    return image;
}

namespace {

/// What kernels need that draw the scene's points into a buffer.
RasterWork workFor(const RasterSpace& space, const VisibilityBuffer& to, const RasterScene& scene,
                   const Projection& projection) {
    requireSize(to, projection);
    return space.work(scene, projection, {}, const_cast<std::uint64_t*>(to.pixels.data()), nullptr);
}

} // namespace

VisibilityBuffer emptyBuffer(const Projection& projection, StreamView stream) {
    VisibilityBuffer buffer{projection.width, projection.height,
                            Buffer<std::uint64_t>::in(MemorySpace::device, pixelsOf(projection), stream)};
    check(cudaMemsetAsync(buffer.pixels.data(), 0, buffer.pixels.bytes(), ownStream(stream)),
          "cudaMemsetAsync");
    return buffer;
}

void addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection, PointPart part,
               StreamView stream) {
    const RasterSpace space(scene, 0, stream);
    const RasterWork work = workFor(space, to, scene, projection);
    queueResetCounts(work, stream);
    queueSomePoints(work, part, nullptr, itemsOfPart(part, scene.points.size()), stream);
}

void addPoints(VisibilityBuffer& to, const RasterScene& scene, const Projection& projection,
               std::span<const std::uint32_t> points, StreamView stream) {
    const RasterSpace space(scene, 0, stream);
    const RasterWork work = workFor(space, to, scene, projection);
    queueResetCounts(work, stream);
    queueSomePoints(work, {}, points.data(), points.size(), stream);
}

std::uint64_t countDrawn(const VisibilityBuffer& buffer, StreamView stream) {
    Camera any;
    const Projection projection(any, buffer.width, buffer.height);
    const RasterScene nothing;
    const RasterSpace space(nothing, 0, stream);
    const RasterWork work = workFor(space, buffer, nothing, projection);
    queueResetCounts(work, stream);
    queueCount(work, stream);
    return space.stats(stream).drawnPixels;
}

} // namespace scanloupe::cuda
