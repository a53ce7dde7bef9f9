// Finds the first point of each voxel, and drops voxels.
#include "kernels/core/queue/queue_body.h"
#include "kernels/voxelize/values/voxel_order.h"

namespace scanloupe {

Buffer<std::uint32_t> firstPoints(Queue& q, const VoxelMembers& members) {
    static_assert(kNoVoxel == 0xffffffffu); // 0xff in each byte
    auto firsts = bufferOn<std::uint32_t>(q, members.voxels);
    q.fillBytes(firsts.data(), firsts.bytes(), 0xff);
    std::uint32_t* const first = firsts.data();
    const std::uint32_t* const voxels = members.pointVoxel;
    q.forEach(members.count, [=] HD(std::size_t i) {
        if (voxels[i] != kNoVoxel)
            Queue::min(first + voxels[i], static_cast<std::uint32_t>(i));
    });
    return firsts;
}

void keepVoxels(Queue& q, VoxelGrid& grid, const KeptVoxels& kept) {
    const std::size_t voxels = kept.voxels.size(), all = grid.size();
    auto keys = bufferOn<std::uint64_t>(q, voxels);
    auto counts = bufferOn<std::uint32_t>(q, voxels);
    auto means = bufferOn<float>(q, 3 * voxels);
    const Reachable<std::uint32_t> list(q, kept.voxels);
    const std::uint32_t* const voxelOf = list.data();
    const std::uint64_t* const fromKeys = grid.keys.data();
    const std::uint32_t* const fromCounts = grid.counts.data();
    const float* const fromMeans = grid.means.data(); // [3, all]
    std::uint64_t* const toKeys = keys.data();
    std::uint32_t* const toCounts = counts.data();
    float* const toMeans = means.data(); // [3, voxels]
    q.forEach(voxels, [=] HD(std::size_t i) {
        const std::size_t from = voxelOf[i];
        toKeys[i] = fromKeys[from];
        toCounts[i] = fromCounts[from];
        for (std::size_t c = 0; c < 3; ++c)
            toMeans[c * voxels + i] = fromMeans[c * all + from];
    });
    grid.keys = std::move(keys);
    grid.counts = std::move(counts);
    grid.means = std::move(means);
}

void moveToKept(Queue& q, Buffer<std::uint32_t>& pointVoxel, const KeptVoxels& kept) {
    const Reachable<std::uint32_t> list(q, kept.places);
    const std::uint32_t* const places = list.data();
    std::uint32_t* const voxelOf = pointVoxel.data();
    q.forEach(pointVoxel.size(), [=] HD(std::size_t i) {
        if (voxelOf[i] != kNoVoxel)
            voxelOf[i] = places[voxelOf[i]];
    });
}

} // namespace scanloupe
