// Finds the first point of each voxel on the CPU, and drops voxels.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/values/voxel_order.h"

#include <atomic>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kVoxelOrderGrain = std::size_t{1} << 16;
}

Buffer<std::uint32_t> firstPoints(const VoxelMembers& members, const std::stop_token& stop) {
    auto firsts = Buffer<std::uint32_t>::host(members.voxels);
    std::fill(firsts.span().begin(), firsts.span().end(), kNoVoxel);
    parallelFor(members.count, kVoxelOrderGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t voxel = members.pointVoxel[i];
            if (voxel == kNoVoxel)
                continue;
            const auto point = static_cast<std::uint32_t>(i);
            const std::atomic_ref<std::uint32_t> first(firsts[voxel]);
            std::uint32_t known = first.load(std::memory_order_relaxed);
            while (point < known && !first.compare_exchange_weak(known, point, std::memory_order_relaxed)) {
            }
        }
    });
    return firsts;
}

void keepVoxels(VoxelGrid& grid, const KeptVoxels& kept, const std::stop_token& stop) {
    const std::size_t voxels = kept.voxels.size(), channels = 3;
    auto keys = Buffer<std::uint64_t>::host(voxels);
    auto counts = Buffer<std::uint32_t>::host(voxels);
    auto means = Buffer<float>::host(channels * voxels);
    parallelFor(voxels, kVoxelOrderGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t from = kept.voxels[i];
            keys[i] = grid.keys[from];
            counts[i] = grid.counts[from];
            for (std::size_t c = 0; c < channels; ++c)
                means[c * voxels + i] = grid.mean(c)[from];
        }
    });
    grid.keys = std::move(keys);
    grid.counts = std::move(counts);
    grid.means = std::move(means);
}

void moveToKept(std::span<std::uint32_t> pointVoxel, const KeptVoxels& kept, const std::stop_token& stop) {
    parallelFor(pointVoxel.size(), kVoxelOrderGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (pointVoxel[i] != kNoVoxel)
                pointVoxel[i] = kept.places[pointVoxel[i]];
    });
}

} // namespace scanloupe::cpu
