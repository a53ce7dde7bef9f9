// Launches the kernels that clear and shade a picture.
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

__global__ void __launch_bounds__(kBlockSize) resolveKernel(const __grid_constant__ RasterWork work) {
    __shared__ ShadeShared shared;
    letNextStart();
    waitForEarlierWork();
    shadeBlock(work, shared, static_cast<int>(blockIdx.x));
}

} // namespace

void queueClear(const RasterWork& work, StreamView stream) {
    launch("clearKernel", (pixelCount(work) + kClearedAtOnce - 1) / kClearedAtOnce, stream, clearKernel,
           work);
}

void queueResolve(const RasterWork& work, StreamView stream) {
    if (work.sums)
        queueAverages(work, stream);
    launchBlocksEarly("resolveKernel",
                      static_cast<std::size_t>(shadeBlocks(work.scene.view.width, work.scene.view.height)),
                      kBlockSize, 0, stream, resolveKernel, work);
}

} // namespace scanloupe::cuda
