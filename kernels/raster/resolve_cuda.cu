// Launches the kernels that clear, count and shade a picture.
#include "kernels/raster/cuda_resolve.cuh"

namespace scanloupe::cuda {

namespace {

std::size_t pixelCount(const RasterWork& work) {
    return static_cast<std::size_t>(work.scene.view.width) * static_cast<std::size_t>(work.scene.view.height);
}

__global__ void __launch_bounds__(kBlockSize) clearKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    clearPicture(work);
}

__global__ void resetCountsKernel(const __grid_constant__ RasterWork work) {
    if (globalIndex() == 0)
        resetCounts(work);
}

__global__ void __launch_bounds__(kBlockSize) resolveKernel(const __grid_constant__ RasterWork work) {
    __shared__ ShadeShared shared;
    letNextStart();
    waitForEarlierWork();
    shadeBlock<LinearPixels>(work, shared, static_cast<int>(blockIdx.x));
}

__global__ void __launch_bounds__(kBlockSize) countKernel(const __grid_constant__ RasterWork work) {
    const std::size_t i = globalIndex();
    letNextStart();
    waitForEarlierWork();
    const std::size_t count =
        static_cast<std::size_t>(work.view().width) * static_cast<std::size_t>(work.view().height);
    const int drawn = __syncthreads_count(i < count && work.pixels[i] != 0);
    if (threadIdx.x == 0 && drawn != 0)
        atomicAdd(&work.counts->drawnPixels, static_cast<unsigned long long>(drawn));
}

} // namespace

void queueClear(const RasterWork& work, StreamView stream) {
    launch("clearKernel", (pixelCount(work) + kClearedAtOnce - 1) / kClearedAtOnce, stream, clearKernel,
           work);
}

void queueResetCounts(const RasterWork& work, StreamView stream) {
    launch("resetCountsKernel", 1, stream, resetCountsKernel, work);
}

void queueResolve(const RasterWork& work, StreamView stream) {
    if (work.sums)
        queueAverages(work, stream);
    launchBlocksEarly("resolveKernel",
                      static_cast<std::size_t>(shadeBlocks(work.scene.view.width, work.scene.view.height)),
                      kBlockSize, 0, stream, resolveKernel, work);
}

void queueCount(const RasterWork& work, StreamView stream) {
    launchEarly("countKernel", pixelCount(work), stream, countKernel, work);
}

} // namespace scanloupe::cuda
