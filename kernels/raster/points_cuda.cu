// Launches the kernels that draw points one by one or as squares.
#include "kernels/raster/cuda_points.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 4) singlePixelsKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t lists[kWarps][WarpList::roomFor(kPointsAThread)];
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawSinglePixels<true>(work, lists[threadIdx.x / 32]);
    else
        drawSinglePixels<false>(work, lists[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize) squaresKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    drawSquares(work);
}

} // namespace

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
