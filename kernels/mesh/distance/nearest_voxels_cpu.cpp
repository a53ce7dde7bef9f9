// Finds the nearest voxels of positions on the CPU.
#include "kernels/mesh/distance/nearest_voxels.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <atomic>
#include <vector>

namespace scanloupe::cpu {

namespace {

constexpr std::size_t kNearestVoxelsGrain = 1 << 12;

/// Finds the voxel with the nearest mean for positions that have no occupied neighbour voxel, for example
/// where decimation has removed vertices.
void searchFar(const VoxelLookup& lookup, std::span<const Vec3f> positions, std::span<std::uint32_t> voxelOf,
               const std::stop_token& stop) {
    std::vector<Vec3f> means(lookup.count);
    parallelFor(means.size(), kNearestVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            means[v] = lookup.mean(static_cast<std::uint32_t>(v));
    });
    const Bvh tree = buildPointBvh(means, stop);
    const BvhView view = tree.view();
    parallelFor(positions.size(), kNearestVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (voxelOf[i] == kNoVoxel)
                voxelOf[i] = nearestPoint(view, means.data(), positions[i]).item;
    });
}

} // namespace

Buffer<std::uint32_t> nearestVoxels(const VoxelGrid& grid, std::span<const Vec3f> positions,
                                    const std::stop_token& stop) {
    const VoxelLookup lookup = voxelLookup(grid);
    auto voxelOf = Buffer<std::uint32_t>::host(positions.size());
    std::atomic<bool> anyFar{false};
    parallelFor(positions.size(), kNearestVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            voxelOf[i] = neighbourVoxel(lookup, positions[i]);
            if (voxelOf[i] == kNoVoxel)
                anyFar.store(true, std::memory_order_relaxed);
        }
    });
    if (anyFar.load(std::memory_order_relaxed))
        searchFar(lookup, positions, voxelOf.span(), stop);
    return voxelOf;
}

} // namespace scanloupe::cpu
