// Rasterizes and shades single frames on the device.
#include "tests/bench/variants/single_frame.h"

#include "kernels/raster/core/cuda_clear.cuh"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/cuda_raster_space.cuh"
#include "kernels/raster/resolve/cuda_resolve_stages.cuh"

namespace scanloupe::cuda {

namespace {

std::size_t pixelsOf(const Projection& projection) {
    return static_cast<std::size_t>(projection.width) * static_cast<std::size_t>(projection.height);
}

__global__ void resetCountsKernel(const __grid_constant__ RasterWork work) {
    if (globalIndex() == 0)
        resetCounts(work);
}

/// Counts the drawn pixels of a frame that is not shaded.
__global__ void __launch_bounds__(kBlockSize) countKernel(const __grid_constant__ RasterWork work) {
    const std::size_t i = globalIndex();
    triggerDependentLaunch();
    syncGridDependency();
    const std::size_t count =
        static_cast<std::size_t>(work.view().width) * static_cast<std::size_t>(work.view().height);
    const int drawn = __syncthreads_count(i < count && work.pixels[i] != 0);
    if (threadIdx.x == 0 && drawn != 0)
        atomicAdd(&work.counts->drawnPixels, static_cast<unsigned long long>(drawn));
}

} // namespace

VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           StreamView stream) {
    const RasterSpace space(scene, 0, {}, stream);
    VisibilityBuffer buffer{projection.width, projection.height,
                            Buffer<std::uint64_t>::in(MemorySpace::device, pixelsOf(projection), stream)};
    const RasterWork work = space.work(scene, projection, {}, buffer.pixels.data(), nullptr);
    queueDrawing(work, stream);
    launchDependent("countKernel", pixelsOf(projection), stream, countKernel, work);
    stats = space.stats(stream);
    stats.cost.bytes = buffer.pixels.bytes();
    return buffer;
}

Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, StreamView stream) {
    requireShadable(visibility, projection, shading);
    const RasterSpace space(scene, pixelsOf(projection), {}, stream);
    Image image{projection.width, projection.height,
                Buffer<std::uint32_t>::in(MemorySpace::device, pixelsOf(projection), stream)};
    // shading reads the pixels only
    const RasterWork work =
        space.work(scene, projection, shading, const_cast<std::uint64_t*>(visibility.pixels.data()),
                   image.pixels.data());
    launch("resetCountsKernel", 1, stream, resetCountsKernel, work);
    queueResolve(work, stream);
    static_cast<void>(space.stats(stream)); // throws for a buffer of another scene
    return image;
}

} // namespace scanloupe::cuda
