// Launches the kernels that draw the triangles of a mesh.
#include "kernels/raster/core/cuda_clear.cuh"
#include "kernels/raster/triangles/cuda_small_mesh.cuh"
#include "kernels/raster/triangles/cuda_tiles.cuh"
#include "kernels/raster/triangles/cuda_triangle_binning.cuh"
#include "kernels/raster/triangles/cuda_triangle_stages.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// Projects vertices and clears the picture in one kernel, since both are limited by memory bandwidth.
__global__ void __launch_bounds__(kBlockSize, 5) projectKernel(const __grid_constant__ RasterWork work) {
    triggerDependentLaunch();
    syncGridDependency();
    clearPicture(work);
    projectVertices(work);
}

__global__ void __launch_bounds__(kBlockSize, 5) binKernel(const __grid_constant__ RasterWork work) {
    __shared__ BinningShared shared;
    triggerDependentLaunch();
    syncGridDependency();
    binTriangles(work, shared);
}

__global__ void __launch_bounds__(kBlockSize, 4) multiPixelKernel(const __grid_constant__ RasterWork work) {
    __shared__ TriangleSlots slots[kWarps];
    triggerDependentLaunch();
    syncGridDependency();
    drawMultiPixel(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 4) smallMeshKernel(const __grid_constant__ RasterWork work) {
    __shared__ SmallMeshSlots slots[kWarps];
    triggerDependentLaunch();
    drawSmallMesh(work, slots[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize, 2) queuedKernel(const __grid_constant__ RasterWork work) {
    __shared__ TileShared shared;
    triggerDependentLaunch();
    syncGridDependency();
    drawMediums(work);
    drawTiles(work, shared);
}

} // namespace

void queueLargeMesh(const RasterWork& work, StreamView stream) {
    const auto& view = work.scene.view;
    const auto pixels = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    queueResident("projectKernel",
                  std::max<std::size_t>((std::size_t{work.vertices} + 1) / 2,
                                        (pixels + kClearedAtOnce - 1) / kClearedAtOnce),
                  projectKernel, work, stream);
    const std::size_t count = work.scene.triangles;
    queueResident("binKernel", (count + 1) / 2, binKernel, work, stream);
    queueResident("multiPixelKernel", count, multiPixelKernel, work, stream);
}

void queueSmallMesh(const RasterWork& work, StreamView stream) {
    // the triangles are distributed over all warps
    queueResident("smallMeshKernel", std::size_t{work.scene.triangles} * 8, smallMeshKernel, work, stream);
}

void queueQueuedTriangles(const RasterWork& work, StreamView stream) {
    const auto& view = work.scene.view;
    const auto tiles = static_cast<std::size_t>(tilesAlong(view.width) * tilesAlong(view.height));
    // A small picture has few tiles, and may nevertheless have many triangles that are queued for a warp.
    const std::size_t warps = residentBlocks(reinterpret_cast<const void*>(queuedKernel),
                                             std::size_t{std::min(work.medium.capacity, 1u << 20)} * 32);
    launchProgrammatic("queuedKernel", std::max(tiles, warps), kBlockSize, 0, stream, queuedKernel, work);
}

} // namespace scanloupe::cuda
