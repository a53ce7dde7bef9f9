// Adds voxels to and removes voxels from a grid, on the CPU.
#include "kernels/core/cost.h"
#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/voxelize/splice/for_places.h"

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kSpliceVoxelsGrain = 1 << 14;
} // namespace

VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop) {
    const WallTimer timer;
    const std::size_t old = grid.size(), count = old - change.removed.size() + change.added.size();
    if (count >= kNoVoxel)
        throw KernelError("the change results in " + std::to_string(count) +
                              " voxels; at most 4294967294 are possible",
                          "Use a larger voxel size.");
    VoxelGrid result;
    result.shape = grid.shape;
    result.strategy = grid.strategy;
    result.stats = grid.stats;
    result.keys = Buffer<std::uint64_t>::host(count);
    result.counts = Buffer<std::uint32_t>::host(count);
    result.means = Buffer<float>::host(3 * count);
    const VoxelChangeView view = viewOf(change);
    auto places = Buffer<std::uint32_t>::host(old);
    forPlaces(view, old, stop, [&](std::size_t v, std::uint32_t to) {
        places[v] = to;
        if (to == kNoVoxel)
            return;
        result.keys[to] = grid.keys[v];
        result.counts[to] = grid.counts[v];
        for (std::size_t axis = 0; axis < 3; ++axis)
            result.means[axis * count + to] = grid.mean(axis)[v];
    });
    parallelFor(change.added.size(), kSpliceVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t to = view.placeOfAdded(std::uint32_t(i));
            const Vec3f middle = middleOfVoxel(grid.shape, change.added[i]);
            result.keys[to] = change.added[i];
            result.counts[to] = 0;
            for (int axis = 0; axis < 3; ++axis)
                result.means[std::size_t(axis) * count + to] = middle[axis];
        }
    });
    result.pointVoxel = Buffer<std::uint32_t>::host(grid.pointVoxel.size());
    parallelFor(grid.pointVoxel.size(), kSpliceVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t voxel = grid.pointVoxel[i];
            result.pointVoxel[i] = voxel == kNoVoxel ? kNoVoxel : places[voxel];
        }
    });
    result.cost.bytes = result.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cpu
