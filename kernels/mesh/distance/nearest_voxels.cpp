// Finds the nearest voxels of positions.
#include "kernels/mesh/distance/nearest_voxels.h"

#include "kernels/core/queue/queue_body.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/surface_distance.h"

namespace scanloupe {

Buffer<std::uint32_t> nearestVoxels(Queue& q, const VoxelGrid& grid, std::span<const Vec3f> positions) {
    const VoxelLookup lookup = voxelLookup(grid);
    const std::size_t count = positions.size();
    auto voxels = bufferOn<std::uint32_t>(q, count);
    if (count == 0)
        return voxels;
    auto anyFar = bufferOn<std::uint32_t>(q, 1);
    q.fillBytes(anyFar.data(), anyFar.bytes(), 0);
    const Vec3f* const at = positions.data();
    std::uint32_t* const voxelOf = voxels.data();
    std::uint32_t* const isFar = anyFar.data();
    q.forEach(count, [=] HD(std::size_t i) {
        const std::uint32_t v = neighbourVoxel(lookup, at[i]);
        voxelOf[i] = v;
        if (v == kNoVoxel)
            Queue::set(isFar, 1u);
    });
    if (toHost(q, std::move(anyFar))[0] == 0)
        return voxels;
    throwIfStopped(q);
    // positions without an occupied neighbour, for example where decimation has removed vertices
    auto means = bufferOn<Vec3f>(q, lookup.count);
    Vec3f* const mean = means.data();
    q.forEach(lookup.count, [=] HD(std::size_t v) { mean[v] = lookup.mean(static_cast<std::uint32_t>(v)); });
    const Bvh bvh = buildPointBvh(means, q.execution());
    const BvhView tree = bvh.view();
    q.forEachLong(count, {std::size_t{1} << 12, count}, [=] HD(std::size_t i) {
        if (voxelOf[i] == kNoVoxel)
            voxelOf[i] = nearestPoint(tree, mean, at[i]).item;
    });
    return voxels;
}

} // namespace scanloupe
