// Launches the kernels that sort and draw batches of points.
#include "kernels/raster/points/cuda_batches.cuh"
#include "kernels/raster/points/cuda_point_stages.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize) orderKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t counts[kDepthRanges];
    triggerDependentLaunch();
    if (work.view().orthographic)
        orderBatches<true>(work, counts);
    else
        orderBatches<false>(work, counts);
}

template <std::uint32_t kRounds>
__global__ void __launch_bounds__(kBlockSize, 4)
    singleBatchesKernel(const __grid_constant__ RasterWork work) {
    __shared__ BatchShared shared[kWarps];
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawSingleBatches<true, kRounds>(work, shared[threadIdx.x / 32]);
    else
        drawSingleBatches<false, kRounds>(work, shared[threadIdx.x / 32]);
}

template <std::uint32_t kRounds>
__global__ void __launch_bounds__(kBlockSize) squareBatchesKernel(const __grid_constant__ RasterWork work) {
    __shared__ BatchShared shared[kWarps];
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawSquareBatches<true, kRounds>(work, shared[threadIdx.x / 32]);
    else
        drawSquareBatches<false, kRounds>(work, shared[threadIdx.x / 32]);
}

} // namespace

void queueBatches(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.batches.count;
    launchDependent("orderKernel", count, stream, orderKernel, work);
    constexpr std::uint32_t rounds = kBatchGroups / 32;
    const std::size_t warps = work.batches.whole ? count : count * rounds;
    if (work.pointSize <= 1 && work.pointExtent <= 0)
        queueResident("singleBatchesKernel", warps * 32,
                      work.batches.whole ? singleBatchesKernel<rounds> : singleBatchesKernel<1>, work,
                      stream);
    else
        queueResident("squareBatchesKernel", warps * 32,
                      work.batches.whole ? squareBatchesKernel<rounds> : squareBatchesKernel<1>, work,
                      stream);
}

} // namespace scanloupe::cuda
