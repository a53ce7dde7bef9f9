#include "kernels/raster/cuda_clusters.cuh"
#include "kernels/raster/cuda_few.cuh"
#include "kernels/raster/cuda_resolve.cuh"
#include "kernels/raster/cuda_tiles.cuh"
#include "kernels/raster/cuda_triage.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Clears, too: both wait for memory.
__global__ void __launch_bounds__(kBlockSize, 5) cornersKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    clearPicture(work);
    if (work.view().orthographic)
        placeCorners<true>(work);
    else
        placeCorners<false>(work);
}

__global__ void __launch_bounds__(kBlockSize, 6) triageKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    triageTriangles(work);
}

__global__ void __launch_bounds__(kBlockSize, 4) visibleKernel(const __grid_constant__ RasterWork work) {
    __shared__ TriangleSlots slots[kWarps];
    letNextStart();
    waitForEarlierWork();
    drawVisible<LinearPixels>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 4) clustersKernel(const __grid_constant__ RasterWork work) {
    __shared__ ClusterSlots slots[kWarps];
    letNextStart();
    drawClusters<LinearPixels>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 4) fewKernel(const __grid_constant__ RasterWork work) {
    __shared__ TriangleSlots slots[kWarps];
    letNextStart();
    drawFew<LinearPixels>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize) waitingKernel(const __grid_constant__ RasterWork work) {
    __shared__ TriangleSlots slots[kWarps];
    letNextStart();
    waitForEarlierWork();
    drawWaiting<LinearPixels>(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 2) tilesKernel(const __grid_constant__ RasterWork work) {
    __shared__ TileShared shared;
    letNextStart();
    waitForEarlierWork();
    drawTiles<LinearPixels>(work, shared);
}

} // namespace

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

namespace {

/// @param start (name, items, kernel)
template <class Start>
void queueTriage(const RasterWork& work, Start&& start) {
    const std::size_t count = work.scene.triangles;
    const std::size_t pixels =
        static_cast<std::size_t>(work.scene.view.width) * static_cast<std::size_t>(work.scene.view.height);
    start("cornersKernel",
          std::max((work.vertices + kLoadedAtOnce - 1) / std::size_t{kLoadedAtOnce},
                   (pixels + kClearedAtOnce - 1) / kClearedAtOnce),
          cornersKernel);
    start("triageKernel", (count + 1) / 2, triageKernel);
    start("visibleKernel", count * 8, visibleKernel); // few triangles are shared by all warps
}

} // namespace

void queueTriangles(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.scene.triangles;
    const auto start = [&](const char* name, std::size_t items, void (*kernel)(RasterWork)) {
        launchBlocksEarly(name, residentBlocks(reinterpret_cast<const void*>(kernel), items), kBlockSize, 0,
                          stream, kernel, work);
    };
    if (work.clusters != 0 || count <= work.fewTriangles) {
        queueClear(work, stream); // which waits for all work before: what follows may read the mesh at once
        if (work.clusters != 0)
            start("clustersKernel", std::size_t{work.clusters} * 32, clustersKernel);
        else
            start("fewKernel", count * 8, fewKernel); // all warps share them
    } else {
        queueTriage(work, start);
    }
    // a triangle that waits gets a warp, and clipping makes several of one
    start("waitingKernel", std::min<std::size_t>(count * 32, std::size_t{1} << 31), waitingKernel);
    const auto tiles =
        static_cast<std::size_t>(tilesAlong(work.scene.view.width) * tilesAlong(work.scene.view.height));
    launchBlocksEarly("tilesKernel", tiles, kBlockSize, 0, stream, tilesKernel, work);
}

} // namespace scanloupe::cuda
