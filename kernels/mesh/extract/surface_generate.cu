// Generates the vertices and triangles of the bricks that contain surface, on the device: step 4 of marching
// cubes.
#include "kernels/mesh/extract/cuda_surface_triangles.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kPairs = 2; ///< number of bricks processed by a block; for each, one warp creates vertices
                               ///< and another triangles
constexpr unsigned kGenerateBlock = kPairs * 64;

/// Generates vertices and triangles in a grid-stride loop over bricks, with as many blocks as can be resident
/// on the device.
__global__ void __launch_bounds__(kGenerateBlock, 9)
    generateBricks(const __grid_constant__ SurfaceWork work) {
    __shared__ VertexSpace vertices[kPairs];
    __shared__ TriangleSpace triangles[kPairs];
    triggerDependentLaunch();
    syncGridDependency();
    if (!work.fits())
        return;
    const LongWord bricks = work.totals->sums.bricks;
    const float iso = *work.iso;
    const unsigned warp = threadIdx.x / 32, pair = warp % kPairs;
    for (LongWord i = blockIdx.x * LongWord{kPairs} + pair; i < bricks; i += gridDim.x * LongWord{kPairs}) {
        const BrickEntry entry = work.list[i];
        if (warp < kPairs)
            makeVertices(work, entry, iso, vertices[pair]);
        else
            makeTriangles(work, entry, triangles[pair]);
    }
}

/// Called by each block at its end; the last block copies the totals to the host.
__device__ void endBlock(const SurfaceWork& work) {
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    __threadfence();
    if (atomicAdd(work.finishedBlocks, 1u) != gridDim.x - 1)
        return;
    __threadfence();
    *work.finishedBlocks = 0;
    if (work.hostTotals)
        *work.hostTotals = {work.totals->sums, __ldcg(&work.totals->zeroArea), 0};
}

/// Counts the triangles without area, only in bricks that may have some, with one warp per brick. Uses double
/// precision, where the products are exact.
__global__ void __launch_bounds__(kBlockSize) countZeroArea(SurfaceWork work) {
    constexpr unsigned warps = kBlockSize / 32;
    syncGridDependency();
    const LongWord zeroAreaCandidates = work.fits() ? __ldcg(&work.totals->zeroAreaCandidates) : 0;
    const unsigned lane = threadIdx.x % 32;
    const auto* positions = reinterpret_cast<const Vec3f*>(work.positions);
    unsigned count = 0;
    for (LongWord i = blockIdx.x * LongWord{warps} + threadIdx.x / 32; i < zeroAreaCandidates;
         i += gridDim.x * LongWord{warps}) {
        const std::uint32_t brick = work.zeroAreaCandidates[i];
        const unsigned triangles = work.counts[brick].triangles;
        if (triangles == 0)
            continue;
        const std::uint32_t* first = work.indices + 3 * static_cast<std::size_t>(work.firstTriangle[brick]);
        for (unsigned t = lane; t < triangles; t += 32) {
            const std::uint32_t* corners = first + 3 * t;
            const Vec3d a = positions[corners[0]].as<double>();
            const Vec3d b = positions[corners[1]].as<double>();
            const Vec3d c = positions[corners[2]].as<double>();
            count += cross(b - a, c - a) == Vec3d{} ? 1 : 0;
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        count += __shfl_xor_sync(kAllLanes, count, lanes);
    if (lane == 0 && count > 0)
        atomicAdd(&work.totals->zeroArea, LongWord{count});
    endBlock(work);
}

/// Returns the number of blocks that can be resident on the device simultaneously.
unsigned residentBlocks(const void* kernel, unsigned threads) {
    int device = 0, multiprocessors = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(threads), 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(multiprocessors * std::max(each, 1));
}

} // namespace

void queueGenerate(const SurfaceWork& work, std::uint64_t maxBricks, StreamView stream) {
    static const unsigned generating =
        residentBlocks(reinterpret_cast<const void*>(&generateBricks), kGenerateBlock);
    static const unsigned checking =
        residentBlocks(reinterpret_cast<const void*>(&countZeroArea), kBlockSize);
    const auto blocks = [&](std::uint64_t pieces, unsigned maxBlocks) {
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(pieces, 1, maxBlocks));
    };
    launchProgrammatic("generateBricks", blocks((maxBricks + kPairs - 1) / kPairs, generating),
                       kGenerateBlock, 0, stream, generateBricks, work);
    launchProgrammatic("countZeroArea", blocks((maxBricks + 31) / 32, checking), kBlockSize, 0, stream,
                       countZeroArea, work);
}

} // namespace scanloupe::cuda
