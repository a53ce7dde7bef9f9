// Step 4 of marching cubes: vertices and triangles of the bricks that carry surface.
#include "kernels/mesh/cuda_surface_triangles.cuh"
#include "kernels/mesh/cuda_surface_vertices.cuh"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kPairs = 4; ///< bricks of a block: a warp makes vertices, another one triangles

struct PairSpace {
    VertexSpace vertices[kPairs];
    TriangleSpace triangles[kPairs];
};

__global__ void __launch_bounds__(kPairs * 64, 4) generateBricks(SurfaceWork work) {
    extern __shared__ __align__(16) unsigned char shared[];
    auto& space = *reinterpret_cast<PairSpace*>(shared);
    letNextStart();
    waitForEarlierWork();
    if (!work.fits())
        return;
    const LongWord bricks = work.totals->sums.bricks;
    const float iso = *work.iso;
    const unsigned warp = threadIdx.x / 32, pair = warp % kPairs;
    for (LongWord i = blockIdx.x * kPairs + pair; i < bricks; i += gridDim.x * kPairs) {
        const BrickEntry entry = work.list[i];
        if (warp < kPairs)
            makeVertices(work, entry, iso, space.vertices[pair]);
        else
            makeTriangles(work, entry, space.triangles[pair]);
    }
}

constexpr unsigned kCheckedAtOnce = 8; ///< bricks that a warp looks at: few are suspects, but they are long

/// Triangles without area, in the bricks where one may be. In double precision, where the products are exact.
__global__ void __launch_bounds__(kBlockSize) countZeroArea(SurfaceWork work) {
    waitForEarlierWork();
    if (!work.fits())
        return;
    const LongWord bricks = work.totals->sums.bricks;
    const unsigned lane = threadIdx.x % 32;
    const auto* positions = reinterpret_cast<const Vec3f*>(work.positions);
    const LongWord step = LongWord{gridDim.x} * (kBlockSize / 32) * kCheckedAtOnce;
    unsigned count = 0;
    for (LongWord first = globalIndex() / 32 * kCheckedAtOnce; first < bricks; first += step) {
        BrickEntry entry{};
        bool suspect = false;
        if (lane < kCheckedAtOnce && first + lane < bricks) {
            entry = work.list[first + lane];
            suspect = work.suspects[entry.brick] != 0;
        }
        for (unsigned left = __ballot_sync(kAllLanes, suspect); left != 0; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1;
            const unsigned triangles = work.counts[__shfl_sync(kAllLanes, entry.brick, from)].triangles;
            const std::uint32_t* indices =
                work.indices +
                3 * static_cast<std::size_t>(__shfl_sync(kAllLanes, entry.firstTriangle, from));
            for (unsigned t = lane; t < triangles; t += 32) {
                const Vec3d a = positions[indices[3 * t]].as<double>();
                const Vec3d b = positions[indices[3 * t + 1]].as<double>();
                const Vec3d c = positions[indices[3 * t + 2]].as<double>();
                count += cross(b - a, c - a) == Vec3d{} ? 1 : 0;
            }
        }
    }
    for (int lanes = 16; lanes > 0; lanes /= 2)
        count += __shfl_xor_sync(kAllLanes, count, lanes);
    if (lane == 0 && count > 0)
        atomicAdd(&work.totals->zeroArea, LongWord{count});
}

/// Blocks that are at work at the same time.
unsigned residentBlocks(const void* kernel, unsigned threads, std::size_t shared) {
    int device = 0, multiprocessors = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(threads), shared),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return static_cast<unsigned>(multiprocessors * std::max(each, 1));
}

} // namespace

void queueGenerate(const SurfaceWork& work, std::uint64_t mostBricks, StreamView stream) {
    static const unsigned resident = [] {
        check(cudaFuncSetAttribute(generateBricks, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(sizeof(PairSpace))),
              "cudaFuncSetAttribute");
        return residentBlocks(reinterpret_cast<const void*>(&generateBricks), kPairs * 64, sizeof(PairSpace));
    }();
    static const unsigned checking =
        residentBlocks(reinterpret_cast<const void*>(&countZeroArea), kBlockSize, 0);
    const auto blocksFor = [&](std::uint64_t bricksOfBlock, unsigned most) {
        return static_cast<unsigned>(
            std::min<std::uint64_t>((mostBricks + bricksOfBlock - 1) / bricksOfBlock, most));
    };
    launchBlocksEarly("generateBricks", blocksFor(kPairs, resident), kPairs * 64, sizeof(PairSpace), stream,
                      generateBricks, work);
    launchBlocksEarly("countZeroArea", blocksFor(kBlockSize / 32 * kCheckedAtOnce, checking), kBlockSize, 0,
                      stream, countZeroArea, work);
}

} // namespace scanloupe::cuda
