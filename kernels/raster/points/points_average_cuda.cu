// Sums the colours of the points in each pixel, on the device.
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/core/shade_element.h"
#include "kernels/raster/points/cuda_point_stages.cuh"
#include "kernels/raster/points/point_average.h"
#include "kernels/raster/points/point_square.h"

namespace scanloupe::cuda {

namespace {

__device__ void addTo(std::uint64_t& to, std::uint64_t value) {
    atomicAdd(reinterpret_cast<unsigned long long*>(&to), static_cast<unsigned long long>(value));
}

__device__ void addColour(const RasterWork& work, int x, int y, float depth, std::uint32_t colour) {
    const std::size_t at = static_cast<std::size_t>(y) * static_cast<std::size_t>(work.view().width) +
                           static_cast<std::size_t>(x);
    if (!isAveraged(depth, work.pixels[at], work.view().orthographic))
        return;
    PointSums& sums = work.sums[at];
    addTo(sums.red, channel(colour, 0));
    addTo(sums.green, channel(colour, 1));
    addTo(sums.blue, channel(colour, 2));
    addTo(sums.count, 1);
}

__global__ void __launch_bounds__(kBlockSize) clearSumsKernel(const __grid_constant__ RasterWork work) {
    const std::size_t i = globalIndex();
    triggerDependentLaunch();
    syncGridDependency();
    if (i < static_cast<std::size_t>(work.view().width) * static_cast<std::size_t>(work.view().height))
        work.sums[i] = {0, 0, 0, 0};
}

/// Sums the colours of points with one thread per point; a point with many pixels is processed by its whole
/// warp. Correct for any number of blocks.
__global__ void __launch_bounds__(kBlockSize) averageKernel(const __grid_constant__ RasterWork work) {
    constexpr std::int64_t kAlone = 64; // maximum number of pixels that a lane processes by itself
    triggerDependentLaunch();
    syncGridDependency();
    const RasterView& view = work.view();
    const std::uint32_t count = work.scene.points, stride = gridDim.x * kBlockSize;
    for (std::uint32_t point = blockIdx.x * kBlockSize + threadIdx.x; point - laneIndex() < count;
         point += stride) {
        ScreenVertex v;
        v.state = ScreenVertex::outside;
        if (point < count)
            v = projectVertex(view, work.points[point]);
        const bool drawable = v.state == ScreenVertex::drawable;
        PixelBox box{0, 0, -1, -1};
        std::uint32_t colour = 0;
        if (drawable) {
            box =
                pointPixels(v, pointEdge(work.pointSize, work.pointExtent, v, view), view.width, view.height);
            colour = colourOf(work.scene.pointColour, point);
        }
        const bool shared = drawable && !box.empty() && box.count() > kAlone;
        if (drawable && !shared)
            for (int y = box.minY; y <= box.maxY; ++y)
                for (int x = box.minX; x <= box.maxX; ++x)
                    addColour(work, x, y, v.depth, colour);
        for (unsigned left = __ballot_sync(kAllLanes, shared); left != 0; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1, lane = static_cast<int>(laneIndex());
            const int minX = __shfl_sync(kAllLanes, box.minX, from),
                      minY = __shfl_sync(kAllLanes, box.minY, from),
                      maxX = __shfl_sync(kAllLanes, box.maxX, from),
                      maxY = __shfl_sync(kAllLanes, box.maxY, from);
            const float depth = __shfl_sync(kAllLanes, v.depth, from);
            const std::uint32_t theirs = __shfl_sync(kAllLanes, colour, from);
            for (int y = minY + lane / 8; y <= maxY; y += 4)
                for (int x = minX + lane % 8; x <= maxX; x += 8)
                    addColour(work, x, y, depth, theirs);
        }
    }
}

} // namespace

void queueAverages(const RasterWork& work, StreamView stream) {
    const std::size_t pixels =
        static_cast<std::size_t>(work.scene.view.width) * static_cast<std::size_t>(work.scene.view.height);
    launchDependent("clearSumsKernel", pixels, stream, clearSumsKernel, work);
    queueResident("averageKernel", work.scene.points, averageKernel, work, stream);
}

} // namespace scanloupe::cuda
