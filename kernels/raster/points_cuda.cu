// Launches the kernels that draw points one by one or as squares.
#include "kernels/raster/cuda_points.cuh"
#include "kernels/raster/point_part.h"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 4) singlePixelsKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t lists[kWarps][WarpList::roomFor(kPointsAThread)];
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawSinglePixels<true, LinearPixels>(work, lists[threadIdx.x / 32]);
    else
        drawSinglePixels<false, LinearPixels>(work, lists[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize) squaresKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    drawSquares<LinearPixels>(work);
}

/// For any number of blocks, a thread a point at a time.
__global__ void __launch_bounds__(kBlockSize)
    somePointsKernel(const __grid_constant__ RasterWork work, PointPart part, const std::uint32_t* listed,
                     std::size_t items) {
    const LinearPixels pixels(work);
    unsigned notFinite = 0;
    const std::size_t stride = std::size_t{gridDim.x} * kBlockSize;
    for (std::size_t item = globalIndex(); item - laneIndex() < items; item += stride) {
        std::size_t point = work.scene.points; // none
        if (item < items)
            point = listed ? listed[item] : pointOfPart(part, item);
        const bool has = point < work.scene.points;
        notFinite += drawPoints<false>(work, pixels, has, static_cast<std::uint32_t>(point),
                                       has ? work.points[point] : Vec3f{})
                         ? 1
                         : 0;
    }
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace

void queueSomePoints(const RasterWork& work, PointPart part, const std::uint32_t* listed, std::size_t items,
                     StreamView stream) {
    const std::size_t blocks =
        residentBlocks(reinterpret_cast<const void*>(somePointsKernel), items); // 0 for none
    if (blocks == 0)
        return;
    somePointsKernel<<<static_cast<unsigned>(blocks), kBlockSize, 0, ownStream(stream)>>>(work, part, listed,
                                                                                          items);
    check(cudaGetLastError(), "somePointsKernel");
}

void queuePoints(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.scene.points;
    if (work.batches.count != 0)
        return queueBatches(work, stream);
    if (work.hiz.keys)
        return queueManyPoints(work, stream);
    const auto start = [&](const char* name, std::size_t items, void (*kernel)(RasterWork)) {
        launchBlocksEarly(name, residentBlocks(reinterpret_cast<const void*>(kernel), items), kBlockSize, 0,
                          stream, kernel, work);
    };
    if (work.pointSize <= 1 && work.pointExtent <= 0)
        start("singlePixelsKernel", (count + kPointsAThread - 1) / kPointsAThread, singlePixelsKernel);
    else
        start("squaresKernel", count, squaresKernel);
}

} // namespace scanloupe::cuda
