// Scans the counts of bricks, and lists the bricks that contain surface, on the device: steps 2 and 3 of
// marching cubes, in one pass over the counts. A tile of bricks publishes its sum, then looks back over the
// previous tiles until it finds one that has published its inclusive prefix (Merrill and Garland,
// "Single-pass Parallel Prefix Scan with Decoupled Look-back", 2016).
#include "kernels/mesh/extract/cuda_surface.cuh"

#include <cuda/atomic>

namespace scanloupe::cuda {

namespace {

enum TileState : std::uint32_t { kInvalid, kAggregate, kInclusivePrefix };
enum class ScanPart : std::uint8_t { offsets, list, both };

__device__ SurfaceSums operator+(const SurfaceSums& a, const SurfaceSums& b) {
    return {a.vertices + b.vertices, a.triangles + b.triangles, a.bricks + b.bricks, a.cells + b.cells};
}

/// Sums over a tile. 32 bits suffice, since a tile has at most 2.6 million triangles.
struct TileSums {
    std::uint32_t vertices, triangles, bricks, cells;

    __device__ TileSums& operator+=(const TileSums& o) {
        vertices += o.vertices;
        triangles += o.triangles;
        bricks += o.bricks;
        cells += o.cells;
        return *this;
    }
    __device__ SurfaceSums wide() const { return {vertices, triangles, bricks, cells}; }
};

__device__ TileSums shuffledUp(const TileSums& sums, unsigned lanes) {
    return {__shfl_up_sync(kAllLanes, sums.vertices, lanes), __shfl_up_sync(kAllLanes, sums.triangles, lanes),
            __shfl_up_sync(kAllLanes, sums.bricks, lanes), __shfl_up_sync(kAllLanes, sums.cells, lanes)};
}

/// Returns the exclusive prefix sum over the threads of a block; `all` receives the total. Must be called by
/// all threads.
__device__ TileSums exclusiveBlockScan(const TileSums& mine, TileSums& all) {
    __shared__ TileSums warps[kScanBlock / 32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    TileSums upTo = mine;
#pragma unroll
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const TileSums left = shuffledUp(upTo, lanes);
        if (lane >= lanes)
            upTo += left;
    }
    if (lane == 31)
        warps[warp] = upTo;
    __syncthreads();
    TileSums before = shuffledUp(upTo, 1);
    if (lane == 0)
        before = {};
    all = {};
#pragma unroll
    for (unsigned w = 0; w < kScanBlock / 32; ++w) {
        if (w == warp)
            before += all;
        all += warps[w];
    }
    return before;
}

/// Returns the sum over the block to its first thread. Must be called by all threads.
__device__ SurfaceSums blockSum(SurfaceSums mine) {
    __shared__ SurfaceSums warps[kScanBlock / 32];
#pragma unroll
    for (int lanes = 16; lanes > 0; lanes /= 2)
        mine = mine + SurfaceSums{__shfl_xor_sync(kAllLanes, mine.vertices, lanes),
                                  __shfl_xor_sync(kAllLanes, mine.triangles, lanes),
                                  __shfl_xor_sync(kAllLanes, mine.bricks, lanes),
                                  __shfl_xor_sync(kAllLanes, mine.cells, lanes)};
    if (threadIdx.x % 32 == 0)
        warps[threadIdx.x / 32] = mine;
    __syncthreads();
    for (unsigned w = 1; w < kScanBlock / 32 && threadIdx.x == 0; ++w)
        mine = mine + warps[w];
    return mine;
}

/// Reads sums that another block has written, bypassing the L1 cache.
__device__ SurfaceSums loadUncached(const SurfaceSums* sums) {
    return {__ldcg(&sums->vertices), __ldcg(&sums->triangles), __ldcg(&sums->bricks), __ldcg(&sums->cells)};
}

using StateRef = ::cuda::atomic_ref<std::uint32_t, ::cuda::thread_scope_device>;

__device__ void publish(const ScanTiles& tiles, std::uint32_t tile, const SurfaceSums& sums,
                        TileState state) {
    (state == kInclusivePrefix ? tiles.inclusivePrefixes : tiles.aggregates)[tile] = sums;
    StateRef(tiles.states[tile]).store(state, ::cuda::memory_order_release);
}

/// Computes the sums over all previous tiles by decoupled look-back, and returns them to the first thread.
/// Must be called by all threads. Each thread reads one tile, so that a block reads a few hundred tiles at
/// once. Blocks start in order, so the blocks of previous tiles are running or done.
__device__ SurfaceSums lookBack(const ScanTiles& tiles, const SurfaceSums& own) {
    __shared__ unsigned nearest; // index of the nearest previous tile that has an inclusive prefix
    const std::uint32_t tile = blockIdx.x;
    if (threadIdx.x == 0)
        publish(tiles, tile, own, tile == 0 ? kInclusivePrefix : kAggregate);
    SurfaceSums before{};
    // thread 0 reads tile next - 1, the following threads the tiles before it
    for (std::uint32_t next = tile; next > 0; next -= kScanBlock) {
        if (threadIdx.x == 0)
            nearest = kScanBlock;
        __syncthreads();
        const bool there = threadIdx.x < next;
        const std::uint32_t theirTile = there ? next - 1 - threadIdx.x : 0;
        std::uint32_t state = kInclusivePrefix; // value for positions before the first tile
        if (there)
            while ((state = StateRef(tiles.states[theirTile]).load(::cuda::memory_order_acquire)) ==
                   kInvalid) {
            }
        if (state == kInclusivePrefix)
            atomicMin(&nearest, threadIdx.x);
        __syncthreads();
        SurfaceSums theirs{};
        if (there && threadIdx.x <= nearest)
            theirs = loadUncached((state == kInclusivePrefix ? tiles.inclusivePrefixes : tiles.aggregates) +
                                  theirTile);
        before = before + blockSum(theirs);
        if (nearest < kScanBlock)
            break;
    }
    return before;
}

template <ScanPart Part>
__global__ void __launch_bounds__(kScanBlock) scanBricks(SurfaceWork work) {
    triggerDependentLaunch();
    syncGridDependency();
    __shared__ SurfaceSums before;
    const std::size_t first = globalIndex() * kScanItems;
    BrickCounts counts[kScanItems];
    TileSums mine{}, all;
#pragma unroll
    for (unsigned i = 0; i < kScanItems; ++i) {
        counts[i] = first + i < work.bricks.count ? work.counts[first + i] : BrickCounts{};
        const bool carries = counts[i].vertices + counts[i].triangles > 0;
        mine += {counts[i].vertices, counts[i].triangles, carries ? 1u : 0u, counts[i].cells};
    }
    const TileSums inTile = exclusiveBlockScan(mine, all);
    if (Part != ScanPart::list) {
        const SurfaceSums found = lookBack(work.tiles, all.wide());
        if (threadIdx.x == 0) {
            before = found;
            if (blockIdx.x > 0)
                publish(work.tiles, blockIdx.x, found + all.wide(), kInclusivePrefix);
            if (blockIdx.x == gridDim.x - 1)
                *work.totals = {found + all.wide(), 0, 0};
        }
    }
    if (Part == ScanPart::offsets)
        return;
    if (Part == ScanPart::list && threadIdx.x == 0 && blockIdx.x > 0)
        before = work.tiles.inclusivePrefixes[blockIdx.x - 1];
    if (Part == ScanPart::list && threadIdx.x == 0 && blockIdx.x == 0)
        before = {};
    __syncthreads();
    SurfaceSums next = before + inTile.wide();
#pragma unroll
    for (unsigned i = 0; i < kScanItems; ++i) {
        if (counts[i].vertices + counts[i].triangles == 0)
            continue;
        const auto brick = static_cast<std::uint32_t>(first + i),
                   vertex = static_cast<std::uint32_t>(next.vertices);
        work.firstVertex[brick] = vertex;
        work.firstTriangle[brick] = next.triangles;
        work.list[next.bricks] = {brick, vertex, next.triangles, work.bricks.place(brick), 0};
        next = next + SurfaceSums{counts[i].vertices, counts[i].triangles, 1, 0};
    }
}

template <ScanPart Part>
void queue(const char* name, const SurfaceWork& work, StreamView stream) {
    const std::size_t tiles = (std::size_t{work.bricks.count} + kScanTile - 1) / kScanTile;
    launchDependent(name, tiles * kScanBlock, stream, scanBricks<Part>, work);
}

} // namespace

void queueScan(const SurfaceWork& work, StreamView stream) {
    queue<ScanPart::offsets>("scanBricks", work, stream);
}
void queueCompact(const SurfaceWork& work, StreamView stream) {
    queue<ScanPart::list>("listBricks", work, stream);
}
void queueScanAndCompact(const SurfaceWork& work, StreamView stream) {
    queue<ScanPart::both>("scanAndListBricks", work, stream);
}

} // namespace scanloupe::cuda
