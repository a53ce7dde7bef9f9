#pragma once
// For CUDA sources only: summarizes a method's voxels on the device, for comparison with the reference.
#include "kernels/core/buffer.h"
#include "kernels/core/cuda_check.h"
#include "tests/bench/voxelize_cells.h"
#include "tests/bench/voxelize_method.h"

namespace scanloupe::bench {

inline constexpr unsigned kFullWarp = 0xffffffffu;

/// One voxel of a method's result.
struct TallyEntry {
    std::uint64_t key = 0;
    std::uint32_t count = 0; ///< number of points; 0: not a voxel
    std::uint32_t level = 0;
    double mean[3] = {0, 0, 0}; ///< metres
};

struct Tally {
    unsigned long long voxels, counted, checksum, levels;
    double sum[3]; ///< sums of count * mean
};

template <class T>
__device__ T warpSum(T value) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_down_sync(kFullWarp, value, lanes);
    return value;
}

/// @param read functor that returns a TallyEntry for an index from 0 to n - 1
template <class Read>
__global__ void tallyEntries(Read read, std::size_t n, Tally* tally) {
    Tally mine{};
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = cuda::globalIndex(); i < n; i += stride) {
        const TallyEntry entry = read(i);
        if (entry.count == 0)
            continue;
        mine.voxels += 1;
        mine.counted += entry.count;
        mine.checksum += cellChecksum(entry.key, entry.count);
        mine.levels += entry.level;
        for (int axis = 0; axis < 3; ++axis)
            mine.sum[axis] += entry.mean[axis] * entry.count;
    }
    mine.voxels = warpSum(mine.voxels);
    mine.counted = warpSum(mine.counted);
    mine.checksum = warpSum(mine.checksum);
    mine.levels = warpSum(mine.levels);
    for (double& sum : mine.sum)
        sum = warpSum(sum);
    if (threadIdx.x % 32 != 0)
        return;
    atomicAdd(&tally->voxels, mine.voxels);
    atomicAdd(&tally->counted, mine.counted);
    atomicAdd(&tally->checksum, mine.checksum);
    atomicAdd(&tally->levels, mine.levels);
    for (int axis = 0; axis < 3; ++axis)
        atomicAdd(&tally->sum[axis], mine.sum[axis]);
}

/// Summarizes n entries, without `centre` and `levels`; those are computed from `sums`. @note Synchronizes.
template <class Read>
Histogram tallied(const Read& read, std::size_t n, Tally& sums, StreamView stream) {
    auto device = Buffer<Tally>::in(MemorySpace::device, 1, stream);
    cuda::check(cudaMemsetAsync(device.data(), 0, device.bytes(), stream.handle()), "cudaMemsetAsync");
    constexpr unsigned blocks = 1024; // enough blocks to fill any device; the kernel uses a grid-stride loop
    tallyEntries<<<blocks, cuda::kBlockSize, 0, cuda::ownStream(stream)>>>(read, n, device.data());
    cuda::check(cudaGetLastError(), "tallyEntries");
    sums = device.copyTo(MemorySpace::host, stream)[0];
    Histogram result;
    result.voxels = sums.voxels;
    result.counted = sums.counted;
    result.checksum = sums.checksum;
    return result;
}

/// Summarizes n voxels with means, including `centre`. @note Synchronizes.
template <class Read>
Histogram talliedWithCentre(const Read& read, std::size_t n, StreamView stream) {
    Tally sums{};
    Histogram result = tallied(read, n, sums, stream);
    const double points = result.counted == 0 ? 1.0 : static_cast<double>(result.counted);
    result.centre = Vec3d{sums.sum[0], sums.sum[1], sums.sum[2]} / points;
    return result;
}

} // namespace scanloupe::bench
