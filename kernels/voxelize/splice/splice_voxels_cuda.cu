// Adds voxels to and removes voxels from a grid, on the device.
#include "kernels/core/cost.h"
#include "kernels/core/cuda_check.h"
#include "kernels/core/device_copy.h"
#include "kernels/core/error.h"
#include "kernels/voxelize/splice/splice_element.h"
#include "kernels/voxelize/splice/splice_voxels.h"

namespace scanloupe::cuda {

namespace {

struct GridView {
    std::uint64_t* keys;
    std::uint32_t* counts;
    float* means; ///< [3, count]
    std::size_t count;
};

__global__ void moveVoxels(const std::uint64_t* keys, const std::uint32_t* counts, const float* means,
                           std::uint32_t old, VoxelChangeView change, GridView to, std::uint32_t* places) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= old)
        return;
    const std::uint32_t place = change.placeOf(v);
    places[v] = place;
    if (place == kNoVoxel)
        return;
    to.keys[place] = keys[v];
    to.counts[place] = counts[v];
    for (std::size_t axis = 0; axis < 3; ++axis)
        to.means[axis * to.count + place] = means[axis * old + v];
}

__global__ void addVoxels(GridShape shape, VoxelChangeView change, GridView to) {
    const auto i = static_cast<std::uint32_t>(globalIndex());
    if (i >= change.addedCount)
        return;
    const std::uint32_t place = change.placeOfAdded(i);
    const Vec3f middle = middleOfVoxel(shape, change.added[i]);
    to.keys[place] = change.added[i];
    to.counts[place] = 0;
    to.means[place] = middle.x;
    to.means[to.count + place] = middle.y;
    to.means[2 * to.count + place] = middle.z;
}

__global__ void movePoints(const std::uint32_t* pointVoxel, std::size_t points, const std::uint32_t* places,
                           std::uint32_t* moved) {
    const std::size_t i = globalIndex();
    if (i >= points)
        return;
    const std::uint32_t voxel = pointVoxel[i];
    moved[i] = voxel == kNoVoxel ? kNoVoxel : places[voxel];
}

} // namespace

VoxelGrid spliceVoxels(const VoxelGrid& grid, const VoxelChange& change, const std::stop_token& stop,
                       StreamView stream) {
    const WallTimer timer;
    EventTimer deviceTimer(stream);
    const std::size_t old = grid.size(), count = old - change.removed.size() + change.added.size();
    if (count >= kNoVoxel)
        throw KernelError("the change results in " + std::to_string(count) +
                              " voxels; at most 4294967294 are possible",
                          "Use a larger voxel size.");
    VoxelGrid result;
    result.shape = grid.shape;
    result.strategy = grid.strategy;
    result.stats = grid.stats;
    result.keys = Buffer<std::uint64_t>::in(MemorySpace::device, count, stream);
    result.counts = Buffer<std::uint32_t>::in(MemorySpace::device, count, stream);
    result.means = Buffer<float>::in(MemorySpace::device, 3 * count, stream);
    const auto added = deviceCopy<std::uint64_t>(change.added, stream);
    const auto addedAt = deviceCopy<std::uint32_t>(change.addedAt, stream),
               removed = deviceCopy<std::uint32_t>(change.removed, stream);
    const VoxelChangeView view{added.data(), addedAt.data(), removed.data(),
                               static_cast<std::uint32_t>(added.size()),
                               static_cast<std::uint32_t>(removed.size())};
    const GridView to{result.keys.data(), result.counts.data(), result.means.data(), count};
    auto places = Buffer<std::uint32_t>::in(MemorySpace::device, old, stream);
    launch("moveVoxels", old, stream, moveVoxels, grid.keys.data(), grid.counts.data(), grid.means.data(),
           static_cast<std::uint32_t>(old), view, to, places.data());
    launch("addVoxels", added.size(), stream, addVoxels, grid.shape, view, to);
    const std::size_t points = grid.pointVoxel.size();
    if (points > 0 && grid.pointVoxel.space() == MemorySpace::host) { // the points were uploaded in pieces
        const auto onHost = places.copyTo(MemorySpace::host, stream);
        stream.synchronize();
        result.pointVoxel = Buffer<std::uint32_t>::host(points);
        for (std::size_t i = 0; i < points; ++i)
            result.pointVoxel[i] = grid.pointVoxel[i] == kNoVoxel ? kNoVoxel : onHost[grid.pointVoxel[i]];
    } else if (points > 0) {
        result.pointVoxel = Buffer<std::uint32_t>::in(MemorySpace::device, points, stream);
        launch("movePoints", points, stream, movePoints, grid.pointVoxel.data(), points, places.data(),
               result.pointVoxel.data());
    }
    deviceTimer.stop();
    stream.synchronize(); // the lists are pageable memory
    if (stop.stop_requested())
        throw Cancelled();
    result.cost.deviceMs = deviceTimer.elapsedMs();
    result.cost.bytes = result.bytes();
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
