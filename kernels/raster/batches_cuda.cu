#include "kernels/raster/cuda_batches.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize) orderKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t counts[kDepthRanges];
    letNextStart();
    if (work.view().orthographic)
        orderBatches<true>(work, counts);
    else
        orderBatches<false>(work, counts);
}

template <std::uint32_t kRounds>
__global__ void __launch_bounds__(kBlockSize, 4)
    singleBatchesKernel(const __grid_constant__ RasterWork work) {
    __shared__ BatchShared shared[kWarps];
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawSingleBatches<true, kRounds, LinearPixels>(work, shared[threadIdx.x / 32]);
    else
        drawSingleBatches<false, kRounds, LinearPixels>(work, shared[threadIdx.x / 32]);
}

template <std::uint32_t kRounds>
__global__ void __launch_bounds__(kBlockSize) squareBatchesKernel(const __grid_constant__ RasterWork work) {
    __shared__ BatchShared shared[kWarps];
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawSquareBatches<true, kRounds, LinearPixels>(work, shared[threadIdx.x / 32]);
    else
        drawSquareBatches<false, kRounds, LinearPixels>(work, shared[threadIdx.x / 32]);
}

} // namespace

void queueBatches(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.batches.count;
    launchEarly("orderKernel", count, stream, orderKernel, work);
    const auto start = [&](const char* name, std::size_t warps, void (*kernel)(RasterWork)) {
        launchBlocksEarly(name, residentBlocks(reinterpret_cast<const void*>(kernel), warps * 32), kBlockSize,
                          0, stream, kernel, work);
    };
    // from here on whole batches keep all warps busy to the end, and their setup is shared
    constexpr std::size_t kMany = std::size_t{1} << 17;
    constexpr std::uint32_t rounds = kBatchGroups / 32;
    const bool single = work.pointSize <= 1 && work.pointExtent <= 0;
    if (count >= kMany)
        start("batches", count, single ? singleBatchesKernel<rounds> : squareBatchesKernel<rounds>);
    else
        start("batches", count * rounds, single ? singleBatchesKernel<1> : squareBatchesKernel<1>);
}

} // namespace scanloupe::cuda
