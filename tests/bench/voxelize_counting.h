#pragma once
// For CUDA sources only: kernels that count the points of each cell, with one counter per cell or one per
// slot of a hash table.
#include "kernels/core/cuda_check.h"
#include "tests/bench/voxelize_cells.h"
#include "tests/bench/voxelize_tally.h"

#include <cooperative_groups.h>

namespace scanloupe::bench {

/// A cell and its number of points, an element of compacted lists.
struct CellCount {
    std::uint32_t cell, count;
};

/// A counter for each cell of the grid.
struct DenseCounter {
    std::uint32_t* counts; // [cells]
    std::uint32_t cells;

    __device__ void add(std::uint32_t cell, std::uint32_t points) const { atomicAdd(counts + cell, points); }
    __device__ std::uint32_t places() const { return cells; }
    __device__ void clear(std::uint32_t place) const { counts[place] = 0; }
    __device__ CellCount at(std::uint32_t place) const { return {place, counts[place]}; }
};

/// A hash table with open addressing. Key and count of a slot are adjacent. Counts start at 2^32 - 1, so that
/// a memset with one byte value clears both.
struct HashCounter {
    CellCount* slots; // [mask + 1], more slots than occupied cells
    std::uint32_t mask;

    /// The 32-bit finalizer of MurmurHash3 (Appleby, 2011).
    __device__ static std::uint32_t spread(std::uint32_t x) {
        x = (x ^ (x >> 16)) * 0x85ebca6bu;
        x = (x ^ (x >> 13)) * 0xc2b2ae35u;
        return x ^ (x >> 16);
    }
    __device__ void add(std::uint32_t cell, std::uint32_t points) const {
        std::uint32_t slot = spread(cell) & mask;
        while (true) {
            // Reads past the L1 cache, which may be stale. Most points find their cell by this read, without
            // an atomic.
            std::uint32_t held = __ldcg(&slots[slot].cell);
            if (held == kNoCell)
                held = atomicCAS(&slots[slot].cell, kNoCell, cell);
            if (held == kNoCell || held == cell) {
                atomicAdd(&slots[slot].count, points);
                return;
            }
            slot = (slot + 1) & mask;
        }
    }
    __device__ std::uint32_t places() const { return mask + 1; }
    __device__ void clear(std::uint32_t place) const { slots[place] = {kNoCell, kNoCell}; }
    __device__ CellCount at(std::uint32_t place) const { return {slots[place].cell, slots[place].count + 1}; }
};

/// One atomic per point.
template <class Counter>
__global__ void countGlobal(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter) {
    const std::size_t i = cuda::globalIndex();
    if (i >= n)
        return;
    if (const std::uint32_t cell = cellIndex(cells, points[i]); cell != kNoCell)
        counter.add(cell, 1);
}

/// Copies the block's points to shared memory with coalesced reads. @returns their number
__device__ inline unsigned stagePoints(const Vec3f* points, std::size_t n, float* staged) {
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * cuda::kBlockSize;
    const std::size_t left = n - first;
    const unsigned here = left < cuda::kBlockSize ? static_cast<unsigned>(left) : cuda::kBlockSize;
    const auto* words = reinterpret_cast<const float*>(points) + 3 * first;
    for (unsigned i = threadIdx.x; i < 3 * here; i += cuda::kBlockSize)
        staged[i] = words[i];
    __syncthreads();
    return here;
}
/// Each lane reads three consecutive words, which causes no bank conflicts.
__device__ inline Vec3f stagedPoint(const float* staged) {
    return {staged[3 * threadIdx.x], staged[3 * threadIdx.x + 1], staged[3 * threadIdx.x + 2]};
}

/// One atomic per point; the points are staged in shared memory.
template <class Counter>
__global__ void countStaged(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter) {
    __shared__ float staged[3 * cuda::kBlockSize];
    if (threadIdx.x >= stagePoints(points, n, staged))
        return;
    if (const std::uint32_t cell = cellIndex(cells, stagedPoint(staged)); cell != kNoCell)
        counter.add(cell, 1);
}

inline constexpr std::uint32_t kCacheBits = 11; // 2048 slots, 16 KiB: eight blocks fit on a multiprocessor
inline constexpr std::uint32_t kCacheSlots = 1u << kCacheBits;
inline constexpr unsigned kCachePoints = 16; // points per thread: 4096 points per block
inline constexpr int kCacheProbes = 4;       // after this many probes, the point is counted in its global
                                             // counter

/// A hash table in shared memory that counts the points of a block by cell.
struct BlockCache {
    std::uint32_t cells[kCacheSlots];
    std::uint32_t counts[kCacheSlots];

    __device__ void clear() {
        for (unsigned i = threadIdx.x; i < kCacheSlots; i += cuda::kBlockSize) {
            cells[i] = kNoCell;
            counts[i] = 0;
        }
        __syncthreads();
    }
    template <class Counter>
    __device__ void add(std::uint32_t cell, const Counter& counter) {
        // Knuth's multiplicative hash: 2^32 divided by the golden ratio
        std::uint32_t slot = cell * 2654435769u >> (32 - kCacheBits);
        for (int probe = 0; probe < kCacheProbes; ++probe) {
            std::uint32_t held = *static_cast<volatile std::uint32_t*>(cells + slot);
            if (held == kNoCell)
                held = atomicCAS(cells + slot, kNoCell, cell);
            if (held == kNoCell || held == cell) {
                atomicAdd(counts + slot, 1u);
                return;
            }
            slot = (slot + 1) % kCacheSlots;
        }
        counter.add(cell, 1);
    }
    template <class Counter>
    __device__ void flush(const Counter& counter) {
        __syncthreads();
        for (unsigned i = threadIdx.x; i < kCacheSlots; i += cuda::kBlockSize)
            if (counts[i] != 0)
                counter.add(cells[i], counts[i]);
    }
};

/// One shared atomic per point, then one global atomic for each distinct cell of the block.
template <class Counter>
__global__ void countCached(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter,
                            int passes) {
    __shared__ BlockCache cache;
    cache.clear();
    const std::size_t first = static_cast<std::size_t>(blockIdx.x) * cuda::kBlockSize * kCachePoints;
    for (int pass = 0; pass < passes; ++pass) {
        for (unsigned k = 0; k < kCachePoints; ++k) {
            const std::size_t i = first + k * cuda::kBlockSize + threadIdx.x;
            const std::uint32_t cell = i < n ? cellIndex(cells, points[i]) : kNoCell;
            if (cell != kNoCell)
                cache.add(cell, counter);
        }
        __syncthreads(); // separates the passes, as if each depended on the previous one
    }
    cache.flush(counter);
}

/// One atomic for each distinct cell within a warp.
template <class Counter>
__global__ void countWarpMatch(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter) {
    const std::size_t i = cuda::globalIndex();
    const std::uint32_t cell = i < n ? cellIndex(cells, points[i]) : kNoCell;
    const unsigned same = __match_any_sync(kFullWarp, cell);
    const auto leader = static_cast<unsigned>(__ffs(static_cast<int>(same))) - 1;
    if (cell != kNoCell && threadIdx.x % 32 == leader)
        counter.add(cell, static_cast<std::uint32_t>(__popc(same)));
}

/// One atomic for each run of adjacent lanes whose points are in the same cell.
template <class Counter>
__global__ void countWarpRuns(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter) {
    const std::size_t i = cuda::globalIndex();
    const std::uint32_t cell = i < n ? cellIndex(cells, points[i]) : kNoCell;
    const unsigned lane = threadIdx.x % 32;
    const std::uint32_t before = __shfl_up_sync(kFullWarp, cell, 1);
    const bool head = lane == 0 || before != cell;
    const unsigned heads = __ballot_sync(kFullWarp, head);
    if (!head || cell == kNoCell)
        return;
    const unsigned later = lane == 31 ? 0 : heads >> (lane + 1);
    counter.add(cell, later == 0 ? 32 - lane : static_cast<std::uint32_t>(__ffs(static_cast<int>(later))));
}

/// Counts in several passes; the points stay in shared memory.
template <class Counter>
__global__ void countStagedPasses(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter,
                                  int passes) {
    __shared__ float staged[3 * cuda::kBlockSize];
    const bool mine = threadIdx.x < stagePoints(points, n, staged);
    for (int pass = 0; pass < passes; ++pass) {
        if (mine)
            if (const std::uint32_t cell = cellIndex(cells, stagedPoint(staged)); cell != kNoCell)
                counter.add(cell, 1);
        __syncthreads();
    }
}

/// Counts in several passes; points and their cells stay in registers.
template <class Counter>
__global__ void countRegisterPasses(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter,
                                    int passes) {
    const std::size_t i = cuda::globalIndex();
    const std::uint32_t cell = i < n ? cellIndex(cells, points[i]) : kNoCell;
    for (int pass = 0; pass < passes; ++pass) {
        if (cell != kNoCell)
            counter.add(cell, 1);
        __syncthreads();
    }
}

/// Appends the occupied cells among the positions begin, begin + stride, ... to a list, in any order, with
/// one atomic per warp.
template <class Counter>
__device__ void listOccupied(const Counter& counter, std::size_t begin, std::size_t stride, CellCount* list,
                             std::uint32_t* listed) {
    const unsigned lane = threadIdx.x % 32;
    const std::size_t places = counter.places();
    for (std::size_t i = begin; i - lane < places; i += stride) { // uniform within the warp
        const CellCount entry = i < places ? counter.at(static_cast<std::uint32_t>(i)) : CellCount{0, 0};
        const unsigned occupied = __ballot_sync(kFullWarp, entry.count != 0);
        std::uint32_t first = 0;
        if (lane == 0 && occupied != 0)
            first = atomicAdd(listed, static_cast<std::uint32_t>(__popc(occupied)));
        first = __shfl_sync(kFullWarp, first, 0);
        if (entry.count != 0)
            list[first + static_cast<std::uint32_t>(__popc(occupied & ((1u << lane) - 1)))] = entry;
    }
}

template <class Counter>
__global__ void compactCells(Counter counter, CellCount* list, std::uint32_t* listed) {
    listOccupied(counter, cuda::globalIndex(), static_cast<std::size_t>(gridDim.x) * blockDim.x, list,
                 listed);
}

/// Clears, counts and compacts in one cooperative launch with grid-wide synchronization.
template <class Counter>
__global__ void countCooperative(const Vec3f* points, std::size_t n, VoxelCells cells, Counter counter,
                                 CellCount* list, std::uint32_t* listed) {
    const auto grid = cooperative_groups::this_grid();
    const std::size_t first = cuda::globalIndex();
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = first; i < counter.places(); i += stride)
        counter.clear(static_cast<std::uint32_t>(i));
    if (first == 0)
        *listed = 0;
    grid.sync();
    for (std::size_t i = first; i < n; i += stride)
        if (const std::uint32_t cell = cellIndex(cells, points[i]); cell != kNoCell)
            counter.add(cell, 1);
    grid.sync();
    listOccupied(counter, first, stride, list, listed);
}

} // namespace scanloupe::bench
