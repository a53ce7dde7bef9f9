// Launches the kernels that draw voxels.
#include "kernels/raster/voxels/cuda_voxel_stages.cuh"
#include "kernels/raster/voxels/cuda_voxels.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 3) voxelsKernel(const __grid_constant__ RasterWork work) {
    __shared__ SmallBoxes slots[kWarps];
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawVoxels<OrthographicBox>(work, slots[threadIdx.x / 32]);
    else
        drawVoxels<PerspectiveBox>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 3)
    waitingVoxelsKernel(const __grid_constant__ RasterWork work) {
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawWaitingVoxels<OrthographicBox>(work);
    else
        drawWaitingVoxels<PerspectiveBox>(work);
}

} // namespace

void queueVoxels(const RasterWork& work, StreamView stream) {
    queueResident("voxelsKernel", work.scene.voxels, voxelsKernel, work, stream);
    // a single large voxel may need one block per tile
    queueResident("waitingVoxelsKernel", std::size_t{1} << 31, waitingVoxelsKernel, work, stream);
}

} // namespace scanloupe::cuda
