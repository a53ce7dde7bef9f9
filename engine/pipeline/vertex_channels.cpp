#include "engine/pipeline/vertex_channels.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/box_tree.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 12;

Vec3f meanOf(const VoxelGrid& grid, std::size_t v) {
    return {grid.mean(0)[v], grid.mean(1)[v], grid.mean(2)[v]};
}

/// The voxel of `cell`, or kNoVoxel.
std::uint32_t findVoxel(const VoxelGrid& grid, Vec3i cell) {
    const Vec3i dims = grid.shape.dims;
    if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= dims.x || cell.y >= dims.y || cell.z >= dims.z)
        return kNoVoxel;
    const auto keys = grid.keys.span();
    const std::uint64_t key = grid.shape.key(cell);
    const auto found = std::lower_bound(keys.begin(), keys.end(), key);
    return found != keys.end() && *found == key ? std::uint32_t(found - keys.begin()) : kNoVoxel;
}

/// The occupied voxel that holds `p`, or the one of its 26 neighbours whose mean is nearest; or kNoVoxel.
std::uint32_t neighbourVoxel(const VoxelGrid& grid, Vec3f p) {
    const Vec3f at = (p - grid.shape.origin) / grid.shape.voxelSize;
    if (!isFinite(at))
        return kNoVoxel;
    const Vec3i cell{int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
    if (const std::uint32_t own = findVoxel(grid, cell); own != kNoVoxel)
        return own;
    std::uint32_t best = kNoVoxel;
    float bestDistance = std::numeric_limits<float>::max();
    for (int z = -1; z <= 1; ++z) {
        for (int y = -1; y <= 1; ++y) {
            for (int x = -1; x <= 1; ++x) {
                const std::uint32_t v = findVoxel(grid, cell + Vec3i{x, y, z});
                if (v == kNoVoxel)
                    continue;
                const float distance = squaredNorm(meanOf(grid, v) - p);
                if (distance < bestDistance) {
                    bestDistance = distance;
                    best = v;
                }
            }
        }
    }
    return best;
}

/// Gives those that have no occupied neighbour, as where decimation has taken vertices away, the voxel whose
/// mean is nearest of all.
void searchFar(const VoxelGrid& grid, std::span<const Vec3f> positions, std::vector<std::uint32_t>& voxelOf,
               const std::stop_token& stop) {
    std::vector<Vec3f> means(grid.size());
    parallelFor(means.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            means[v] = meanOf(grid, v);
    });
    const BoxTree tree = cpu::treeOfPoints(means, stop);
    const BoxTreeView view = tree.view();
    parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (voxelOf[i] != kNoVoxel)
                continue;
            const Vec3d p = positions[i].as<double>();
            voxelOf[i] = nearestItem(view, positions[i], [&](std::uint32_t v, double) {
                             return squaredNorm(means[v].as<double>() - p);
                         }).item;
        }
    });
}

} // namespace

std::vector<std::uint32_t> nearestVoxels(const VoxelGrid& grid, std::span<const Vec3f> positions,
                                         const std::stop_token& stop) {
    std::vector<std::uint32_t> voxelOf(positions.size());
    std::atomic<bool> anyFar{false};
    parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            voxelOf[i] = neighbourVoxel(grid, positions[i]);
            if (voxelOf[i] == kNoVoxel)
                anyFar.store(true, std::memory_order_relaxed);
        }
    });
    if (anyFar.load(std::memory_order_relaxed))
        searchFar(grid, positions, voxelOf, stop);
    return voxelOf;
}

std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const Vec3f> positions, const std::stop_token& stop) {
    if (features.empty() || grid.size() == 0)
        return {};
    const std::vector<std::uint32_t> voxelOf = nearestVoxels(grid, positions, stop);
    std::vector<MeshChannel> channels;
    for (std::size_t f = 0; f < features.size(); ++f) {
        MeshChannel& channel = channels.emplace_back(MeshChannel{features[f], {}});
        channel.values.resize(positions.size());
        const float* means = grid.mean(3 + f);
        parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                channel.values[i] = means[voxelOf[i]];
        });
    }
    return channels;
}

} // namespace scanloupe
