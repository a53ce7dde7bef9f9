// Clears pictures, and sizes the grids of the rasterizer's kernels.
#include "kernels/raster/core/cuda_clear.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize) clearKernel(const __grid_constant__ RasterWork work) {
    triggerDependentLaunch();
    clearPicture(work);
}

} // namespace

void queueClear(const RasterWork& work, StreamView stream) {
    const auto pixels =
        static_cast<std::size_t>(work.scene.view.width) * static_cast<std::size_t>(work.scene.view.height);
    launch("clearKernel", (pixels + kClearedAtOnce - 1) / kClearedAtOnce, stream, clearKernel, work);
}

std::size_t residentBlocks(const void* kernel, std::size_t count) {
    int device = 0, multiprocessors = 0, blocks = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, static_cast<int>(kBlockSize), 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const std::size_t most = static_cast<std::size_t>(multiprocessors) * static_cast<std::size_t>(blocks);
    return std::min(most, (count + kBlockSize - 1) / kBlockSize);
}

void queueResident(const char* name, std::size_t items, void (*kernel)(RasterWork), const RasterWork& work,
                   StreamView stream) {
    launchProgrammatic(name, residentBlocks(reinterpret_cast<const void*>(kernel), items), kBlockSize, 0,
                       stream, kernel, work);
}

} // namespace scanloupe::cuda
