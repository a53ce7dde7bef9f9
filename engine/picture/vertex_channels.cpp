// Transfers means and classes of the nearest voxels to mesh vertices.
#include "engine/picture/vertex_channels.h"

#include "engine/picture/colouring.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <cmath>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 12;
constexpr double kFloatWhole = 16777216; ///< 2^24: single precision holds all integers up to it

MeshChannel classChannel(const std::shared_ptr<const Category>& category, const std::uint32_t* modes,
                         std::span<const std::uint32_t> voxelOf, const std::stop_token& stop) {
    MeshChannel channel{{category->name, 0}, {}, category, {}};
    const double least = category->value(0),
                 greatest = category->value(std::uint32_t(category->values.size() - 1));
    if (least < -kFloatWhole || greatest > kFloatWhole)
        channel.channel.offset = least;
    channel.values.resize(voxelOf.size());
    channel.codes.resize(voxelOf.size());
    parallelFor(voxelOf.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            channel.codes[i] = modes[voxelOf[i]];
            channel.values[i] = float(category->value(channel.codes[i]) - channel.channel.offset);
        }
    });
    return channel;
}

/// The means and most frequent classes of the nearest voxels of these positions, see nearestVoxels: a channel
/// for each of `features` that has means (they name channels 3 and up of the grid), then a channel for each
/// of `categories`.
std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const std::shared_ptr<const Category>> categories,
                                       const Buffer<Vec3f>& positions, const std::stop_token& stop) {
    if ((features.empty() && categories.empty()) || grid.size() == 0)
        return {};
    const Buffer<std::uint32_t> voxelOf = nearestVoxels(grid, positions, {std::nullopt, stop});
    std::vector<MeshChannel> channels;
    for (std::size_t f = 0; f < features.size(); ++f) {
        if (std::isnan(grid.mean(3 + f)[0]))
            continue; // a feature without means, see canBeAveraged
        MeshChannel& channel = channels.emplace_back(MeshChannel{features[f], {}, nullptr, {}});
        channel.values.resize(positions.size());
        const float* means = grid.mean(3 + f);
        parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                channel.values[i] = means[voxelOf[i]];
        });
    }
    for (std::size_t c = 0; c < categories.size(); ++c)
        channels.push_back(classChannel(categories[c], grid.mode(c), voxelOf.span(), stop));
    return channels;
}

} // namespace

std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop) {
    return colourMesh(snapshot.resolved, colourSource(snapshot), snapshot.mesh.host(), stop)
        .toRgba(snapshot.mesh->vertexCount());
}

std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop) {
    if (!snapshot.voxels)
        return {};
    return voxelChannels(snapshot.voxels.host(), snapshot.points->channels, snapshot.points->categories,
                         snapshot.mesh.host().positions, stop);
}

} // namespace scanloupe
