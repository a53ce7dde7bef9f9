#pragma once
// Sums points at the ranks of their voxels, and converts the sums to means. For strategies that know the
// ranks before summing.
#include "kernels/voxelize/averages/cuda_sums.cuh"

namespace scanloupe::cuda {

/// Adds up `value` over a block, and adds the total to `target` with one atomic. One atomic per thread would
/// be serialized on that address. Must be called by all threads.
__device__ inline void countInBlock(Count* target, std::uint32_t value) {
    __shared__ std::uint32_t warpSums[32];
    const unsigned lane = threadIdx.x % 32, warps = (blockDim.x + 31) / 32;
    const std::uint32_t inWarp = warpSum(value);
    if (lane == 0)
        warpSums[threadIdx.x / 32] = inWarp;
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    const std::uint32_t sum = warpSum(lane < warps ? warpSums[lane] : 0);
    if (lane == 0 && sum > 0)
        atomicAdd(target, static_cast<Count>(sum));
}

/// Adds the points of this thread to the sums of their voxels. `Ranker` is a value with `__device__
/// std::uint32_t rank(const DeviceCells&, Vec3i cell, std::size_t point, bool inRange) const`, which returns
/// the index of the point's sums, or kNoVoxel when it is not averaged; the result is ignored out of range.
/// Where `Ranker::kMarksOccupancy`, `mark(rank, peeked)` is called at the end, with the result of an earlier
/// `peek(rank)`, or with all bits set where there is nothing to mark. Must be called by all threads of a
/// block of kBlockSize.
/// @param limit voxels from this one on are dropped
/// @param pointVoxel [N] or null
template <int K, SumLayout Layout, class Ranker>
__device__ void addPointsOfThread(const PointsIn& in, const DeviceCells& cells, const Ranker& ranker,
                                  const Sums& sums, std::uint32_t limit, std::uint32_t* pointVoxel,
                                  Counts* counts) {
    const std::size_t index = globalIndex(), first = index * K;
    const PointGroup<K> group = loadPoints<K>(in.positions, in.count, index);
    const PreloadedFeatures<Layout, K> preloaded(in, sums.features, first, group.count);
    Vec3i at[K];
    bool inRange[K], all = true;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        inRange[k] = cells.contains(group.points[k]);
        at[k] = cells.cell(group.points[k]);
        all = all && inRange[k];
    }
    triggerDependentLaunch();
    syncGridDependency(); // before this call, only points are read
    std::uint32_t voxels[K];
    unsigned notFinite = 0, dropped = 0, notSummed = 0;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        const std::uint32_t rank = ranker.rank(cells, at[k], first + static_cast<std::size_t>(k), inRange[k]);
        const bool taken = inRange[k] && rank < limit; // kNoVoxel is above any limit
        voxels[k] = taken ? rank : kNoVoxel;
        all = all && taken;
    }
    if (!all) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            if (k >= group.count || voxels[k] != kNoVoxel)
                continue;
            ++notSummed;
            const std::uint32_t rank =
                ranker.rank(cells, at[k], first + static_cast<std::size_t>(k), inRange[k]);
            dropped += inRange[k] && rank != kNoVoxel;
            notFinite += !isFinite(group.points[k]);
        }
    }
    [[maybe_unused]] std::uint32_t peeked[K];
    if constexpr (Ranker::kMarksOccupancy) {
        // skip a point whose predecessor is in the same voxel
        const std::uint32_t leftNeighbour = __shfl_up_sync(kFullWarp, voxels[K - 1], 1);
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const bool known = k > 0 ? voxels[k] == voxels[k > 0 ? k - 1 : 0]
                                     : threadIdx.x % 32 != 0 && voxels[0] == leftNeighbour;
            peeked[k] = known || voxels[k] == kNoVoxel ? ~0u : ranker.peek(voxels[k]);
        }
    }
    if (pointVoxel) {
        if (K % 4 == 0 && group.count == K) { // memory of the pool is aligned
#pragma unroll
            for (int k = 0; k + 3 < K; k += 4)
                reinterpret_cast<uint4*>(pointVoxel + first)[k / 4] =
                    uint4{voxels[k], voxels[k + 1], voxels[k + 2], voxels[k + 3]};
        } else {
#pragma unroll
            for (int k = 0; k < K; ++k) {
                if (k < group.count)
                    pointVoxel[first + static_cast<std::size_t>(k)] = voxels[k];
            }
        }
    }
    addGroup(preloaded, sums, cells.cells, in, first, group, at, voxels, counts);
    if constexpr (Ranker::kMarksOccupancy) {
#pragma unroll
        for (int k = 0; k < K; ++k)
            ranker.mark(voxels[k], peeked[k]);
    }
    countInWarp(&counts->notFinite, notFinite);
    countInWarp(&counts->inDroppedVoxels, dropped);
    // hasOverflowed() reads the count only in this case
    if (Layout == SumLayout::narrow && in.count > kNarrowPoints)
        countInWarp(&counts->notSummed, notSummed);
}

/// Base of rankers that know all ranks before the points are summed.
struct PrecomputedRanks {
    static constexpr bool kMarksOccupancy = false;
};

template <int K, SumLayout Layout, class Ranker>
__global__ void __launch_bounds__(kBlockSize)
    addPoints(PointsIn in, DeviceCells cells, Ranker ranker, Sums sums, std::uint32_t limit,
              std::uint32_t* pointVoxel, Counts* counts) {
    addPointsOfThread<K, Layout>(in, cells, ranker, sums, limit, pointVoxel, counts);
}

/// Queues addPoints.
template <class Ranker>
void sumPoints(const PointsIn& in, const VoxelCells& cells, const Ranker& ranker, const Sums& sums,
               std::size_t limit, std::uint32_t* pointVoxel, Counts* counts, StreamView stream) {
    withPointsPerThread(in.count, [&](auto perThread) {
        withLayout(sums.layout, [&](auto layout) {
            launchDependent("addPoints", threadsFor(in.count, perThread), stream,
                            addPoints<decltype(perThread)::value, decltype(layout)::value, Ranker>, in,
                            DeviceCells(cells), ranker, sums, static_cast<std::uint32_t>(limit), pointVoxel,
                            counts);
        });
    });
}

/// Converts the sums at index `from` to the means of `voxel`, and clears the sums for the next use. @returns
/// the voxel's number of points
__device__ inline std::uint32_t finishAndClear(const Sums& sums, std::size_t from, const VoxelCells& cells,
                                               const VoxelsOut& out, std::size_t voxel) {
    const VoxelSum sum = sums.read(from);
    if (sum.count == 0) { // no points, or the count of `narrow` has wrapped to 0
        if ((sum.x | sum.y | sum.z | sum.features[0] | sum.features[1]) != 0)
            sums.clear(from);
        return 0;
    }
    finishVoxel(sums, sum, cells, out, voxel, __ldcg(out.keys + voxel));
    sums.clear(from);
    return sum.count;
}

/// Positions and fused features of `job`, as arguments of kernels.
PointsIn pointsIn(const Job& job);

/// Converts sums to means, for the first `limit` voxels that have points, and clears the sums for the next
/// use.
/// @param from [V] index of each voxel's sums, or null if they are in the order of voxels
/// @param tileSums [tiles] of a bitmap, cleared for the next use as well, or null
void finishVoxels(const Sums& sums, const std::uint32_t* from, std::size_t limit, const VoxelCells& cells,
                  const VoxelsOut& out, Counts* counts, StreamView stream, std::uint32_t* tileSums = nullptr,
                  std::size_t tiles = 0);

/// Adds the values of one feature to the sums of the points' voxels.
/// @param pointVoxel [n]
/// @param sums [V]
/// @param counts gets the number of values that are not finite; or null
void addFeature(const FeatureView& feature, const FeatureScale& scale, std::size_t n,
                const std::uint32_t* pointVoxel, std::uint64_t* sums, Counts* counts, StreamView stream);

/// Converts the sums of one feature to means, and clears the sums for the next use: of `limit` voxels, or of
/// as many as were found if these are fewer and `counts` is not null.
/// @param voxelPoints [V] the voxels' points
/// @param means [V]
void finishFeature(const FeatureScale& scale, std::uint64_t* sums, std::size_t limit,
                   const std::uint32_t* voxelPoints, float* means, const Counts* counts, StreamView stream);

/// Averages the features that were not summed together with the position. @returns how many of their values
/// were not finite. @note Synchronizes.
std::uint64_t averageMoreFeatures(const Job& job, const std::uint32_t* pointVoxel, VoxelGrid& grid);

/// Counts the values of fused features that are not finite, among the points that have a voxel. @note
/// Synchronizes.
std::uint64_t countNotFinite(const Job& job, const std::uint32_t* pointVoxel, std::size_t voxels);

/// Fills in the statistics of the points from the counts of the device.
void fillStats(const Job& job, const Counts& found, std::size_t kept, VoxelGrid& grid);

/// Pointers to the columns of `grid`, which must be allocated.
VoxelsOut outputOf(const Job& job, VoxelGrid& grid);
/// Allocates the columns of `grid` for `voxels` voxels. @returns pointers to them
VoxelsOut makeOutput(const Job& job, std::size_t voxels, VoxelGrid& grid);

/// Returns the sums of the fused features in `layout`, whose memory is `words`.
Sums sumsOf(const Job& job, SumLayout layout, Buffer<Count>& words);
/// Returns the layout that cannot overflow.
SumLayout safeLayout(const Job& job);
/// Returns the layout to try first: `narrow`, unless it cannot hold the fused features.
SumLayout firstLayout(const Job& job);
/// Returns whether a voxel has more points than `layout` can hold; then everything must be summed again in
/// safeLayout().
bool hasOverflowed(SumLayout layout, const Job& job, const Counts& found);

/// Sums and averages the points by their ranks, and fills the grid. `listKeysTo(keys, limit)` queues the
/// kernel that writes the first `limit` keys.
/// @param counts counts that contain the number of voxels
template <class Ranker, class ListKeys>
void averageByRank(const Job& job, const Ranker& ranker, Buffer<Counts>& counts, VoxelGrid& grid,
                   ListKeys&& listKeysTo) {
    const std::size_t kept = job.kept(job.read(counts).voxels);
    const VoxelsOut out = makeOutput(job, kept, grid);
    listKeysTo(out.keys, kept);
    const bool moreFeatures = job.scales.size() > kFusedFeatures;
    auto ownPointVoxel =
        job.buffer<std::uint32_t>(moreFeatures && !job.params.pointVoxels ? job.points.count : 0);
    std::uint32_t* pointVoxel = job.params.pointVoxels ? grid.pointVoxel.data()
                                : moreFeatures         ? ownPointVoxel.data()
                                                       : nullptr;
    Counts found{};
    for (SumLayout layout = firstLayout(job);; layout = safeLayout(job)) {
        auto words = job.zeros<Count>(kept * static_cast<std::size_t>(wordsOf(layout)));
        const Sums sums = sumsOf(job, layout, words);
        sumPoints(pointsIn(job), job.cells, ranker, sums, kept, pointVoxel, counts.data(), job.stream);
        job.throwIfStopped();
        finishVoxels(sums, nullptr, kept, job.cells, out, counts.data(), job.stream);
        found = job.read(counts);
        if (!hasOverflowed(layout, job, found))
            break;
        Counts again{};
        again.voxels = found.voxels;
        again.pastPointLimit = found.pastPointLimit;
        detail::copyBytes(counts.data(), MemorySpace::device, &again, MemorySpace::host, sizeof again,
                          job.stream);
        job.stream.synchronize(); // since `again` is destroyed next
    }
    if (moreFeatures)
        found.featuresNotFinite += averageMoreFeatures(job, pointVoxel, grid);
    fillStats(job, found, kept, grid);
}

} // namespace scanloupe::cuda
