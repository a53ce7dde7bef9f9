#include "engine/pipeline/vertex_channels.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/nearest_voxels.h"

#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 12;

} // namespace

std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const Vec3f> positions, const std::stop_token& stop) {
    if (features.empty() || grid.size() == 0)
        return {};
    const Buffer<std::uint32_t> voxelOf = cpu::nearestVoxels(grid, positions, stop);
    std::vector<MeshChannel> channels;
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (std::isnan(grid.mean(3 + f)[0]))
            continue; // no voxel has a mean of it, see canBeAveraged
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
