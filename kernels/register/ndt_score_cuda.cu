// Scores a scan at a pose, with as many blocks as the scan needs.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt_run.cuh"
#include "kernels/register/cuda_ndt_sums.cuh"

#include <algorithm>
#include <bit>

namespace scanloupe::cuda {

namespace {

/// Threads of a block that sums: all rows of WarpRows are written, so none has to be cleared.
constexpr unsigned kSumThreads = kMostWarps * kLanes;

template <int kAround>
__global__ void __launch_bounds__(kSumThreads)
    sumBlocks(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, double* sums) {
    __shared__ WarpRows space;
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    const RigidTransform at = *pose;
    constexpr int atOnce = kAround == 27 ? 9 : kAround;
    space.rows[warp][lane] = sumOfRuns<kAround, atOnce>(map, job, at, blockIdx.x * kMostWarps + warp, 1);
    __syncthreads();
    if (warp == 0)
        sums[blockIdx.x * kNdtTerms + lane] = space.sum();
}

/// Adds up the sums of all blocks, with one block; its first warp gets the result.
__device__ double joinBlocks(WarpRows& space, const double* sums, unsigned blocks, unsigned blocksPow2) {
    return sumOverBlocks(space, blocksPow2, [=](unsigned first, auto& values) {
#pragma unroll
        for (double& value : values)
            value = first < blocks ? sums[first * kNdtTerms + threadIdx.x % kLanes] : 0, ++first;
    });
}

/// Number of blocks that sum, and a power of two that is not smaller.
struct Blocks {
    unsigned number, power;
};

__global__ void joinTotals(const double* sums, Blocks blocks, double* totals) {
    __shared__ WarpRows space;
    const double sum = joinBlocks(space, sums, blocks.number, blocks.power);
    if (threadIdx.x < kLanes)
        totals[threadIdx.x] = sum;
}

__global__ void endScore(RigidTransform pose, NdtDeviceEnd* end) {
    end->pose = pose;
    end->iterations = 0;
    end->end = end->totals.pairs() > 0 ? NdtEnd::maxIterations : NdtEnd::noOverlap;
}

Blocks blocksOf(std::uint64_t points) {
    const std::uint64_t rows = (points + kLanes - 1) / kLanes;
    const auto used = static_cast<unsigned>(std::clamp<std::uint64_t>(rows, 1, ndtWarps(points)));
    const unsigned number = (used + kMostWarps - 1) / kMostWarps;
    return {number, std::bit_ceil(number)};
}

/// Queues the totals at a pose; `sums` has room for a row of kNdtTerms for each block.
void queueTotals(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose, Blocks blocks,
                 double* sums, double* totals, StreamView stream) {
    const auto kernel = map.around == 1 ? sumBlocks<1> : map.around == 7 ? sumBlocks<7> : sumBlocks<27>;
    kernel<<<blocks.number, kSumThreads, 0, ownStream(stream)>>>(map, job, pose, sums);
    check(cudaGetLastError(), "sumBlocks");
    joinTotals<<<1, kSumThreads, 0, ownStream(stream)>>>(sums, blocks, totals);
    check(cudaGetLastError(), "joinTotals");
}

} // namespace

void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream) {
    const Blocks blocks = blocksOf(job.count);
    auto sums = Buffer<double>::in(MemorySpace::device, std::size_t{blocks.number} * kNdtTerms, stream);
    auto pose = Buffer<RigidTransform>::in(MemorySpace::device, 1, stream);
    check(
        cudaMemcpyAsync(pose.data(), &job.start, sizeof job.start, cudaMemcpyHostToDevice, ownStream(stream)),
        "cudaMemcpyAsync");
    queueTotals(run.map, job, pose.data(), blocks, sums.data(), end->totals.terms, stream);
    queueTotals(run.wide, job, pose.data(), blocks, sums.data(), end->wide.terms, stream);
    endScore<<<1, 1, 0, ownStream(stream)>>>(job.start, end);
    check(cudaGetLastError(), "endScore");
}

} // namespace scanloupe::cuda
