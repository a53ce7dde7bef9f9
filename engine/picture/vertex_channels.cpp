// Transfers means and classes of the nearest voxels to mesh vertices.
#include "engine/picture/vertex_channels.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/picture/colouring.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"

#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace scanloupe {

namespace {

constexpr std::size_t kVertexChannelsGrain = 1 << 12;
constexpr double kFloatWhole = 16777216; ///< 2^24: single precision represents all integers up to this value

MeshChannel classChannel(const std::shared_ptr<const Category>& category, const std::uint32_t* modes,
                         std::span<const std::uint32_t> voxelOf, const std::stop_token& stop) {
    MeshChannel channel{{category->name, 0}, {}, category, {}};
    const double least = category->value(0),
                 greatest = category->value(std::uint32_t(category->values.size() - 1));
    if (least < -kFloatWhole || greatest > kFloatWhole)
        channel.channel.offset = least;
    channel.values.resize(voxelOf.size());
    channel.codes.resize(voxelOf.size());
    parallelFor(voxelOf.size(), kVertexChannelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            channel.codes[i] = modes[voxelOf[i]];
            channel.values[i] = float(category->value(channel.codes[i]) - channel.channel.offset);
        }
    });
    return channel;
}

MeshChannel meanChannel(const Attribute& attribute, const VoxelAttribute& values,
                        std::span<const std::uint32_t> voxelOf, const std::stop_token& stop) {
    MeshChannel channel{{attribute.name, attribute.min()}, {}, nullptr, {}};
    channel.values.resize(voxelOf.size());
    parallelFor(voxelOf.size(), kVertexChannelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            channel.values[i] = values.means[voxelOf[i]];
    });
    return channel;
}

} // namespace

std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop) {
    ColourSource source = colourSource(snapshot);
    source.chosen = nullptr; // a file does not show a selection
    return colourMesh(snapshot.resolved, source, snapshot.mesh.host(), stop)
        .toRgba(snapshot.mesh->vertexCount());
}

std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop) {
    if (!snapshot.voxels || snapshot.cloud->attributes().empty() || snapshot.voxels->size() == 0)
        return {};
    snapshot.cloud->loadAll(stop); // loads all attributes in one pass over the file
    const Buffer<std::uint32_t> voxelOf =
        nearestVoxels(snapshot.voxels.host(), snapshot.mesh.host().positions, {std::nullopt, stop});
    std::vector<MeshChannel> means, classes;
    for (const Attribute* attribute : attributesInOrder(*snapshot.cloud)) {
        const auto values = snapshot.attributes->onHost(*attribute, stop);
        if (values->category)
            classes.push_back(classChannel(values->category, values->modes.data(), voxelOf.span(), stop));
        else if (!std::isnan(values->means[0])) // NaN: the attribute has no means, see canBeAveraged
            means.push_back(meanChannel(*attribute, *values, voxelOf.span(), stop));
    }
    std::ranges::move(classes, std::back_inserter(means));
    return means;
}

} // namespace scanloupe
