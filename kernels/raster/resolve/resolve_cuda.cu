// Launches the kernels that shade a picture.
#include "kernels/raster/points/cuda_point_stages.cuh"
#include "kernels/raster/resolve/cuda_resolve.cuh"
#include "kernels/raster/resolve/cuda_resolve_stages.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize) resolveKernel(const __grid_constant__ RasterWork work) {
    __shared__ ShadeShared shared;
    triggerDependentLaunch();
    syncGridDependency();
    shadeBlock(work, shared, static_cast<int>(blockIdx.x));
}

} // namespace

void queueResolve(const RasterWork& work, StreamView stream) {
    if (work.sums)
        queueAverages(work, stream);
    launchProgrammatic("resolveKernel",
                       static_cast<std::size_t>(shadeBlocks(work.scene.view.width, work.scene.view.height)),
                       kBlockSize, 0, stream, resolveKernel, work);
}

} // namespace scanloupe::cuda
