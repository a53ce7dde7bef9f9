#pragma once
// Declares the common state of all strategies on the device: points, parameters, device memory and counts.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/voxelize/core/strategy_table.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cuda {

using Count = unsigned long long; // the 64-bit type of atomicAdd
static_assert(sizeof(Count) == sizeof(std::uint64_t));
inline constexpr unsigned kFullWarp = 0xffffffffu;

/// Counters that kernels update on the device and the host reads back.
struct Counts {
    Count voxels;            ///< number of voxels found
    Count notFinite;         ///< number of points that are not finite
    Count notSummed;         ///< points that were not added to any sum
    Count averaged;          ///< number of averaged points
    Count inDroppedVoxels;   ///< number of points in dropped voxels
    Count pastPointLimit;    ///< number of points in excess of maxPointsPerVoxel
    Count featuresNotFinite; ///< number of feature values that are not finite
    Count tableFull;         ///< not 0 if a key found no slot in a hash table
};

struct Job {
    const PointsView& points;
    const VoxelizeParams& params;
    VoxelCells cells;
    std::vector<FeatureScale> scales; // [F]
    const std::stop_token& stop;
    StreamView stream;

    std::size_t channels() const { return 3 + scales.size(); }

    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    }
    template <class T>
    Buffer<T> zeros(std::size_t size) const {
        auto zeroed = buffer<T>(size);
        fill(zeroed, 0);
        return zeroed;
    }
    template <class T>
    void fill(Buffer<T>& buffer, int byte) const {
        if (!buffer.empty())
            check(cudaMemsetAsync(buffer.data(), byte, buffer.bytes(), ownStream(stream)), "cudaMemsetAsync");
    }
    void throwIfStopped() const {
        if (stop.stop_requested())
            throw Cancelled();
    }
    /// Runs a CUB algorithm, see cuda::runCub. @throws Cancelled
    template <class Algorithm>
    void runCub(const char* name, Algorithm&& algorithm) const {
        cuda::runCub(name, stream, algorithm);
        throwIfStopped();
    }
    /// @note Synchronizes.
    Counts read(const Buffer<Counts>& counts) const {
        Counts host{};
        detail::copyBytes(&host, MemorySpace::host, counts.data(), MemorySpace::device, sizeof host, stream);
        stream.synchronize();
        return host;
    }
    /// Returns the number of voxels to keep if `found` voxels were found.
    std::size_t kept(Count found) const {
        return params.maxVoxels == 0 ? found : std::min<std::size_t>(found, params.maxVoxels);
    }
};

/// Sums over the warp, and returns the sum to all threads. Must be called by all threads of the warp.
__device__ inline std::uint32_t warpSum(std::uint32_t value) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(kFullWarp, value, lanes);
    return value;
}

/// Adds `value` to `target`, once per warp. For rare events: nothing is added if all values are 0. Must be
/// called by all threads of the warp.
__device__ inline void countInWarp(Count* target, std::uint32_t value) {
    if (!__any_sync(kFullWarp, value != 0))
        return;
    value = warpSum(value);
    if (threadIdx.x % 32 == 0)
        atomicAdd(target, static_cast<Count>(value));
}

} // namespace scanloupe::cuda
