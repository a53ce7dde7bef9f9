// Counts the voxels in a window of cells on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/values/count_in_window.h"

namespace scanloupe::cuda {

namespace {

using Count = unsigned long long; // 64-bit type that atomicAdd accepts

__device__ Count sumOfWarp(Count value) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, lanes);
    return value;
}

/// Adds the counts of voxels and points in a window. @param sums numbers of voxels and of points
__global__ void addCounts(const std::uint64_t* keys, const std::uint32_t* counts, std::size_t voxels,
                          GridShape shape, CellWindow window, Count* sums) {
    const std::size_t v = globalIndex();
    const bool isIn = v < voxels && contains(window, shape.cell(keys[v]));
    const Count found = sumOfWarp(isIn ? 1 : 0), points = sumOfWarp(isIn ? counts[v] : 0);
    if (threadIdx.x % 32 == 0 && found > 0) {
        atomicAdd(&sums[0], found);
        atomicAdd(&sums[1], points);
    }
}

} // namespace

WindowCounts countInWindow(const VoxelGrid& grid, const CellWindow& window, StreamView stream) {
    auto sums = Buffer<Count>::in(MemorySpace::device, 2, stream);
    check(cudaMemsetAsync(sums.data(), 0, sums.bytes(), ownStream(stream)), "cudaMemsetAsync");
    launch("addCounts", grid.size(), stream, addCounts, grid.keys.data(), grid.counts.data(), grid.size(),
           grid.shape, window, sums.data());
    const Buffer<Count> here = sums.copyTo(MemorySpace::host, stream);
    return {here[0], here[1]};
}

} // namespace scanloupe::cuda
