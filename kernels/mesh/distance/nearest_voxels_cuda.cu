// Finds the nearest voxels of positions on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/nearest_voxels.h"
#include "kernels/mesh/distance/surface_distance.h"

namespace scanloupe::cuda {

namespace {

__global__ void findNeighbourVoxels(VoxelLookup grid, const Vec3f* positions, std::size_t count,
                                    std::uint32_t* voxelOf, std::uint32_t* anyFar) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const std::uint32_t v = neighbourVoxel(grid, positions[i]);
    voxelOf[i] = v;
    if (v == kNoVoxel)
        *anyFar = 1; // a benign race, since all threads write the same value
}

__global__ void gatherMeans(VoxelLookup grid, Vec3f* means) {
    const std::size_t v = globalIndex();
    if (v < grid.count)
        means[v] = grid.mean(static_cast<std::uint32_t>(v));
}

/// Number of threads per block; small, since a query needs many registers for its stack and for double
/// precision.
constexpr unsigned kQueryBlock = 128;
__global__ void __launch_bounds__(kQueryBlock)
    findFarVoxels(BvhView tree, const Vec3f* means, const Vec3f* positions, std::size_t count,
                  std::uint32_t* voxelOf) {
    const std::size_t i = globalIndex();
    if (i < count && voxelOf[i] == kNoVoxel)
        voxelOf[i] = nearestPoint(tree, means, positions[i]).item;
}

} // namespace

Buffer<std::uint32_t> nearestVoxels(const VoxelGrid& grid, const Buffer<Vec3f>& positions,
                                    const std::stop_token& stop, StreamView stream) {
    const VoxelLookup lookup = voxelLookup(grid);
    const std::size_t count = positions.size();
    auto voxelOf = Buffer<std::uint32_t>::in(MemorySpace::device, count, stream);
    if (count == 0)
        return voxelOf;
    auto anyFar = Buffer<std::uint32_t>::in(MemorySpace::device, 1, stream);
    check(cudaMemsetAsync(anyFar.data(), 0, anyFar.bytes(), ownStream(stream)), "cudaMemsetAsync");
    launch("findNeighbourVoxels", count, stream, findNeighbourVoxels, lookup, positions.data(), count,
           voxelOf.data(), anyFar.data());
    if (anyFar.copyTo(MemorySpace::host, stream)[0] == 0)
        return voxelOf;
    if (stop.stop_requested())
        throw Cancelled();
    auto means = Buffer<Vec3f>::in(MemorySpace::device, lookup.count, stream);
    launch("gatherMeans", lookup.count, stream, gatherMeans, lookup, means.data());
    const Bvh tree = buildPointBvh(means, stop, stream);
    findFarVoxels<<<static_cast<unsigned>((count + kQueryBlock - 1) / kQueryBlock), kQueryBlock, 0,
                    ownStream(stream)>>>(tree.view(), means.data(), positions.data(), count, voxelOf.data());
    check(cudaGetLastError(), "findFarVoxels");
    return voxelOf;
}

} // namespace scanloupe::cuda
