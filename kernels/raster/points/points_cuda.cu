// Launches the kernels that draw points individually or as squares.
#include "kernels/raster/points/cuda_point_stages.cuh"
#include "kernels/raster/points/cuda_points.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void __launch_bounds__(kBlockSize, 4) singlePixelsKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t lists[kWarps][WarpList::capacityFor(kPointsAThread)];
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawSinglePixels<true>(work, lists[threadIdx.x / 32]);
    else
        drawSinglePixels<false>(work, lists[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize) squaresKernel(const __grid_constant__ RasterWork work) {
    triggerDependentLaunch();
    syncGridDependency();
    drawSquares(work);
}

} // namespace

void queuePoints(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.scene.points;
    if (work.batches.count != 0)
        return queueBatches(work, stream);
    if (work.hiz.keys)
        return queueManyPoints(work, stream);
    if (work.pointSize <= 1 && work.pointExtent <= 0)
        queueResident("singlePixelsKernel", (count + kPointsAThread - 1) / kPointsAThread, singlePixelsKernel,
                      work, stream);
    else
        queueResident("squaresKernel", count, squaresKernel, work, stream);
}

} // namespace scanloupe::cuda
