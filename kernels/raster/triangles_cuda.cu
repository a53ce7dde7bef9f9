// Launches the kernels that draw the triangles of a mesh.
#include "kernels/raster/cuda_clusters.cuh"
#include "kernels/raster/cuda_resolve.cuh"
#include "kernels/raster/cuda_small_mesh.cuh"
#include "kernels/raster/cuda_tiles.cuh"
#include "kernels/raster/cuda_triangle_binning.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Also clears the picture: both wait for memory.
__global__ void __launch_bounds__(kBlockSize, 5) projectKernel(const __grid_constant__ RasterWork work) {
    letNextStart();
    waitForEarlierWork();
    clearPicture(work);
    projectVertices(work);
}

__global__ void __launch_bounds__(kBlockSize, 5) binKernel(const __grid_constant__ RasterWork work) {
    __shared__ BinningShared shared;
    letNextStart();
    waitForEarlierWork();
    binTriangles(work, shared);
}

__global__ void __launch_bounds__(kBlockSize, 4) othersKernel(const __grid_constant__ RasterWork work) {
    __shared__ TriangleSlots slots[kWarps];
    letNextStart();
    waitForEarlierWork();
    drawOthers(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 4) clustersKernel(const __grid_constant__ RasterWork work) {
    __shared__ ClusterSlots slots[kWarps];
    letNextStart();
    // the shuffle shows the compiler that the index is uniform over the warp: addresses then cost less
    drawClusters(work, slots[__shfl_sync(kAllLanes, threadIdx.x / 32, 0)]);
}

__global__ void __launch_bounds__(kBlockSize, 4) smallMeshKernel(const __grid_constant__ RasterWork work) {
    __shared__ SmallMeshSlots slots[kWarps];
    letNextStart();
    drawSmallMesh(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 2) queuedKernel(const __grid_constant__ RasterWork work) {
    __shared__ TileShared shared;
    letNextStart();
    waitForEarlierWork();
    drawMediums(work);
    drawTiles(work, shared);
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

void queueTriangles(const RasterWork& work, StreamView stream) {
    const std::size_t count = work.scene.triangles;
    const auto& view = work.scene.view;
    const auto start = [&](const char* name, std::size_t items, void (*kernel)(RasterWork)) {
        launchBlocksEarly(name, residentBlocks(reinterpret_cast<const void*>(kernel), items), kBlockSize, 0,
                          stream, kernel, work);
    };
    if (work.screenPositions) {
        const auto pixels = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
        start("projectKernel",
              std::max<std::size_t>((std::size_t{work.vertices} + 1) / 2,
                                    (pixels + kClearedAtOnce - 1) / kClearedAtOnce),
              projectKernel);
        start("binKernel", (count + 1) / 2, binKernel);
        start("othersKernel", count, othersKernel);
    } else {
        queueClear(work, stream); // which waits for all work before: what follows may read the mesh at once
        if (work.clusters != 0)
            start("clustersKernel", std::size_t{work.clusters} * 32, clustersKernel);
        else
            start("smallMeshKernel", count * 8, smallMeshKernel); // all warps share them
    }
    const auto tiles = static_cast<std::size_t>(tilesAlong(view.width) * tilesAlong(view.height));
    // a small picture has few tiles, and may have many triangles that wait for a warp
    const std::size_t warps = residentBlocks(reinterpret_cast<const void*>(queuedKernel),
                                             std::size_t{std::min(work.medium.room, 1u << 20)} * 32);
    launchBlocksEarly("queuedKernel", std::max(tiles, warps), kBlockSize, 0, stream, queuedKernel, work);
}

} // namespace scanloupe::cuda
