#pragma once
// Sums score, gradient and Hessian at a pose, with as many blocks as a scan needs and one row of sums per
// block.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_ndt_run.cuh"
#include "kernels/register/ndt/cuda_ndt_sums.cuh"

#include <algorithm>
#include <bit>

namespace scanloupe::cuda {

/// Number of threads of a summing block. With this number, all rows of WarpRows are written, so no row must
/// be cleared.
inline constexpr unsigned kSumThreads = kMaxWarps * kLanes;

template <int kAround>
__global__ void __launch_bounds__(kSumThreads)
    sumBlocks(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, double* sums) {
    __shared__ WarpRows space;
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    const RigidTransform at = *pose;
    constexpr int atOnce = kAround == 27 ? 9 : kAround;
    space.rows[warp][lane] = sumOfRuns<kAround, atOnce>(map, job, at, blockIdx.x * kMaxWarps + warp, 1);
    __syncthreads();
    if (warp == 0)
        sums[blockIdx.x * kNdtTerms + lane] = space.sum();
}

/// Number of summing blocks, and this number rounded up to a power of two.
struct NdtSumBlocks {
    unsigned number, power;
};
inline NdtSumBlocks ndtSumBlocks(std::uint64_t points) {
    const std::uint64_t rows = (points + kLanes - 1) / kLanes;
    const auto used = static_cast<unsigned>(std::clamp<std::uint64_t>(rows, 1, ndtWarps(points)));
    const unsigned number = (used + kMaxWarps - 1) / kMaxWarps;
    return {number, std::bit_ceil(number)};
}

/// Adds up the sums of all blocks, with one block of kSumThreads; its first warp gets the result.
__device__ inline double joinBlocks(WarpRows& space, const double* sums, NdtSumBlocks blocks) {
    return sumOverBlocks(space, blocks.power, [=](unsigned first, auto& values) {
#pragma unroll
        for (double& value : values)
            value = first < blocks.number ? sums[first * kNdtTerms + threadIdx.x % kLanes] : 0, ++first;
    });
}

/// Queues the sums of the blocks at a pose. @param sums [ndtSumBlocks(job.count).number, kNdtTerms]
inline void queueSums(const NdtTableView& map, const NdtDeviceJob& job, const RigidTransform* pose,
                      double* sums, StreamView stream) {
    const auto kernel = map.around == 1 ? sumBlocks<1> : map.around == 7 ? sumBlocks<7> : sumBlocks<27>;
    kernel<<<ndtSumBlocks(job.count).number, kSumThreads, 0, ownStream(stream)>>>(map, job, pose, sums);
    check(cudaGetLastError(), "sumBlocks");
}

} // namespace scanloupe::cuda
