// Draws very many points in two passes. The first pass draws every 16th run of points as occluders; the
// second draws the others, tested against the farthest depth of their tile (hierarchical depth). Without
// tiles, each point in random order would read a pixel, and the device's cache serves only about 120 G of
// these reads per second.
#include "kernels/raster/points/cuda_point_stages.cuh"
#include "kernels/raster/points/cuda_points.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kTilesBlock = 1024; // threads per block; each multiprocessor runs one block, which uses
                                       // all its shared memory
constexpr std::size_t kWaiting = WarpList::capacityFor(kPointsAThread);

__global__ void __launch_bounds__(kBlockSize, 4) occludersKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t lists[kWarps][kWaiting];
    triggerDependentLaunch();
    syncGridDependency();
    if (work.view().orthographic)
        drawSinglePixels<true, Runs::occluders>(work, lists[threadIdx.x / 32]);
    else
        drawSinglePixels<false, Runs::occluders>(work, lists[threadIdx.x / 32]);
}

__global__ void __launch_bounds__(kBlockSize) hizTilesKernel(const __grid_constant__ RasterWork work) {
    triggerDependentLaunch();
    syncGridDependency();
    buildHizTiles(work);
}

__global__ void __launch_bounds__(kTilesBlock)
    remainingPointsKernel(const __grid_constant__ RasterWork work) {
    __shared__ std::uint32_t lists[kTilesBlock / 32][kWaiting];
    extern __shared__ std::uint32_t keys[];
    triggerDependentLaunch();
    syncGridDependency();
    for (auto i = static_cast<int>(threadIdx.x); i < work.hiz.count; i += kTilesBlock)
        keys[i] = __ldcg(work.hiz.keys + i);
    __syncthreads();
    const HizTiles tiles(work.hiz, keys);
    if (work.view().orthographic)
        drawSinglePixels<true, Runs::rest>(work, lists[threadIdx.x / 32], tiles);
    else
        drawSinglePixels<false, Runs::rest>(work, lists[threadIdx.x / 32], tiles);
}

int attribute(cudaDeviceAttr which) {
    int device = 0, value = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
}

/// Returns the maximum number of tiles whose keys fit into a multiprocessor's shared memory together with the
/// lists of its warps.
std::size_t maxHizTiles() {
    constexpr std::size_t lists = kTilesBlock / 32 * kWaiting * sizeof(std::uint32_t);
    const auto shared = static_cast<std::size_t>(attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
    return std::min(kMaxHizTiles, (shared - lists) / sizeof(std::uint32_t));
}

} // namespace

HizWork hizTiles(std::size_t points, const RasterView& view) {
    // Minimum number of points per pixel for hierarchical depth. Points in random order: no gain with 50;
    // with 480, drawing took two thirds of the time (one H200, 1080p).
    constexpr std::size_t kAPixel = 128;
    const std::size_t pixels = static_cast<std::size_t>(view.width) * static_cast<std::size_t>(view.height);
    if (points < std::max(kHizPoints, pixels * kAPixel))
        return {};
    const auto most = static_cast<int>(maxHizTiles());
    HizWork tiles{nullptr, 3, 3, 0, 0};
    for (;;) {
        tiles.across = ((view.width - 1) >> tiles.bitsX) + 1;
        tiles.count = tiles.across * (((view.height - 1) >> tiles.bitsY) + 1);
        if (tiles.count <= most)
            return tiles;
        ++(tiles.bitsX > tiles.bitsY ? tiles.bitsY : tiles.bitsX);
    }
}

void queueManyPoints(const RasterWork& work, StreamView stream) {
    constexpr std::size_t pointsAStride = std::size_t{32} * kPointsAThread * kOccluderStride;
    queueResident("occludersKernel", (work.scene.points + pointsAStride - 1) / pointsAStride * 32,
                  occludersKernel, work, stream);
    queueResident("hizTilesKernel", static_cast<std::size_t>(work.hiz.count) * 32, hizTilesKernel, work,
                  stream);
    // Requests the maximum of all pictures, since the attribute belongs to the kernel, which all threads and
    // recorded frames share.
    check(cudaFuncSetAttribute(reinterpret_cast<const void*>(remainingPointsKernel),
                               cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(maxHizTiles() * sizeof(std::uint32_t))),
          "cudaFuncSetAttribute");
    const std::size_t bytes = static_cast<std::size_t>(work.hiz.count) * sizeof(std::uint32_t);
    launchProgrammatic("remainingPointsKernel",
                       static_cast<std::size_t>(attribute(cudaDevAttrMultiProcessorCount)), kTilesBlock,
                       bytes, stream, remainingPointsKernel, work);
}

} // namespace scanloupe::cuda
