// Adds voxels to and removes voxels from a grid.
#include "kernels/voxelize/splice/splice_voxels.h"

#include "kernels/core/error.h"
#include "kernels/core/queue/queue_body.h"
#include "kernels/voxelize/splice/splice_element.h"

namespace scanloupe {

Buffer<std::uint32_t> detail::movedPoints(Queue& q, const Buffer<std::uint32_t>& pointVoxel,
                                          const Buffer<std::uint32_t>& places) {
    auto moved = bufferOn<std::uint32_t>(q, pointVoxel.size());
    std::uint32_t* const to = moved.data();
    const std::uint32_t* const from = pointVoxel.data();
    const std::uint32_t* const placeOf = places.data();
    q.forEach(pointVoxel.size(),
              [=] HD(std::size_t i) { to[i] = from[i] == kNoVoxel ? kNoVoxel : placeOf[from[i]]; });
    return moved;
}

VoxelGrid spliceVoxels(Queue& q, const VoxelGrid& grid, const VoxelChange& change) {
    QueueTimer timer(q);
    const std::size_t old = grid.size(), count = old - change.removed.size() + change.added.size();
    if (count >= kNoVoxel)
        throw KernelError("the surface has more voxels than can be numbered", "Take a larger voxel size.");
    VoxelGrid result;
    result.shape = grid.shape;
    result.strategy = grid.strategy;
    result.stats = grid.stats;
    result.keys = bufferOn<std::uint64_t>(q, count);
    result.counts = bufferOn<std::uint32_t>(q, count);
    result.means = bufferOn<float>(q, 3 * count);
    const Reachable<std::uint64_t> added(q, change.added);
    const Reachable<std::uint32_t> addedAt(q, change.addedAt), removed(q, change.removed);
    const VoxelChangeView view{added.data(), addedAt.data(), removed.data(),
                               static_cast<std::uint32_t>(change.added.size()),
                               static_cast<std::uint32_t>(change.removed.size())};
    auto places = bufferOn<std::uint32_t>(q, old);

    const std::uint64_t* const keys = grid.keys.data();
    const std::uint32_t* const counts = grid.counts.data();
    const float* const means = grid.means.data(); // [3, old]
    std::uint64_t* const toKeys = result.keys.data();
    std::uint32_t* const toCounts = result.counts.data();
    float* const toMeans = result.means.data(); // [3, count]
    std::uint32_t* const placeOf = places.data();
    q.forEachWalk(
        old, [=] HD(std::size_t first) { return VoxelPlaces(view, first); },
        [=] HD(VoxelPlaces & walk, std::size_t v) {
            const std::uint32_t place = walk.of(v);
            placeOf[v] = place;
            if (place == kNoVoxel)
                return;
            toKeys[place] = keys[v];
            toCounts[place] = counts[v];
            for (std::size_t axis = 0; axis < 3; ++axis)
                toMeans[axis * count + place] = means[axis * old + v];
        });
    const GridShape shape = grid.shape;
    q.forEach(change.added.size(), [=] HD(std::size_t i) {
        const std::uint32_t place = view.placeOfAdded(static_cast<std::uint32_t>(i));
        const Vec3f middle = middleOfVoxel(shape, view.added[i]);
        toKeys[place] = view.added[i];
        toCounts[place] = 0;
        for (int axis = 0; axis < 3; ++axis)
            toMeans[static_cast<std::size_t>(axis) * count + place] = middle[axis];
    });
    if (grid.pointVoxel.space() == q.space()) {
        result.pointVoxel = detail::movedPoints(q, grid.pointVoxel, places);
    } else if (!grid.pointVoxel.empty()) { // the points were uploaded in pieces
        HostQueue host(q.stop());
        const auto onHost = places.copyTo(MemorySpace::host, q.stream());
        result.pointVoxel = detail::movedPoints(host, grid.pointVoxel, onHost);
    }
    timer.stop();
    result.cost = timer.cost(result.bytes());
    throwIfStopped(q);
    return result;
}

} // namespace scanloupe
