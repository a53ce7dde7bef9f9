// Launches the kernels that draw voxels.
#include "kernels/raster/cuda_voxels.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 3) voxelsKernel(const __grid_constant__ RasterWork work) {
    __shared__ SmallBoxes slots[kWarps];
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawVoxels<OrthographicBox>(work, slots[threadIdx.x / 32]);
    else
        drawVoxels<PerspectiveBox>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 3)
    waitingVoxelsKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    if (work.view().orthographic)
        drawWaitingVoxels<OrthographicBox>(work);
    else
        drawWaitingVoxels<PerspectiveBox>(work);
}

} // namespace

void queueVoxels(const RasterWork& work, StreamView stream) {
    const auto start = [&](const char* name, std::size_t items, void (*kernel)(RasterWork)) {
        launchBlocksEarly(name, residentBlocks(reinterpret_cast<const void*>(kernel), items), kBlockSize, 0,
                          stream, kernel, work);
    };
    start("voxelsKernel", work.scene.voxels, voxelsKernel);
    // one voxel may take a block a tile
    start("waitingVoxelsKernel", std::size_t{1} << 31, waitingVoxelsKernel);
}

} // namespace scanloupe::cuda
