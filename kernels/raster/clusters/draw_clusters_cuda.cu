// Launches the kernel that draws a mesh by its clusters.
#include "kernels/raster/clusters/cuda_cluster_stages.cuh"
#include "kernels/raster/clusters/cuda_clusters.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 4) clustersKernel(const __grid_constant__ RasterWork work) {
    __shared__ ClusterSlots slots[kWarps];
    triggerDependentLaunch();
    // The shuffle lets the compiler treat the index as uniform over the warp, which simplifies address
    // arithmetic.
    drawClusters(work, slots[__shfl_sync(kAllLanes, threadIdx.x / 32, 0)]);
}

} // namespace

void queueClusters(const RasterWork& work, StreamView stream) {
    queueResident("clustersKernel", std::size_t{work.clusters} * 32, clustersKernel, work, stream);
}

} // namespace scanloupe::cuda
