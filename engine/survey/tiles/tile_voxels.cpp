// Averages attributes of a tile's points in voxels, selects the tile's own voxels, and assigns values to
// vertices.
#include "engine/survey/tiles/tile_voxels.h"

#include "engine/cloud/attribute.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/operators.h"
#include "kernels/raster/colours/value_element.h"
#include "kernels/voxelize/operators.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kTileVoxelsGrain = std::size_t{1} << 14;

/// Returns [N] class indices of the points, on the host.
Buffer<std::uint32_t> codesOf(const Buffer<std::byte>& values, const SurveyAttribute& attribute,
                              const std::stop_token& stop) {
    auto codes = Buffer<std::uint32_t>::host(values.size() / sizeOf(attribute.type));
    parallelFor(codes.size(), kTileVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double value = scalarAt(values.data(), attribute.type, i);
            codes[i] = std::uint32_t(std::clamp(value, attribute.range.min, attribute.range.max) -
                                     attribute.range.min);
        }
    });
    return codes;
}

template <class T>
Buffer<T> onHost(Buffer<T> values, const Execution& on) {
    return on.onDevice() && !values.empty() ? values.copyTo(MemorySpace::host, *on.device)
                                            : std::move(values);
}

/// Returns the indices of the voxels in a box of cells, in ascending order.
std::vector<std::uint32_t> voxelsIn(const GridShape& shape, const Buffer<std::uint64_t>& keys,
                                    const IndexBox& cells, const std::stop_token& stop) {
    std::vector<char> isIn(keys.size());
    parallelFor(keys.size(), kTileVoxelsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            isIn[v] = cells.contains(shape.cell(keys[v]));
    });
    std::vector<std::uint32_t> found;
    for (std::size_t v = 0; v < isIn.size(); ++v)
        if (isIn[v])
            found.push_back(std::uint32_t(v));
    return found;
}

/// Copies the values of selected voxels from a table [columns, V].
template <class T>
Buffer<T> columnsAt(const Buffer<T>& table, std::size_t voxels, std::span<const std::uint32_t> at) {
    const std::size_t columns = voxels > 0 ? table.size() / voxels : 0;
    auto picked = Buffer<T>::host(columns * at.size());
    for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t i = 0; i < at.size(); ++i)
            picked[c * at.size() + i] = table[c * voxels + at[i]];
    return picked;
}

} // namespace

VoxelValues voxelValues(const TileCloud& points, const SurveyAttributes& attributes, const VoxelGrid& grid,
                        const Execution& on) {
    const VoxelMembers members{grid.pointVoxel.data(), grid.pointVoxel.size(), grid.size()};
    std::vector<Buffer<std::byte>> columns;     // copies of the attributes on the device
    std::vector<Buffer<std::uint32_t>> classes; // class indices of the points, on the backend of `on`
    std::vector<FeatureView> features;
    std::vector<CategoryView> categories;
    for (std::size_t a = 0; a < attributes.list.size(); ++a) {
        const SurveyAttribute& attribute = attributes.list[a];
        const Buffer<std::byte>& values = points.values[a];
        if (attribute.isClasses) {
            Buffer<std::uint32_t> codes = codesOf(values, attribute, on.stop);
            classes.push_back(on.onDevice() ? codes.copyTo(MemorySpace::device, *on.device)
                                            : std::move(codes));
            categories.push_back(
                {classes.back().data(), std::uint32_t(attribute.range.max - attribute.range.min) + 1});
            continue;
        }
        if (on.onDevice())
            columns.push_back(values.copyTo(MemorySpace::device, *on.device));
        features.push_back({on.onDevice() ? columns.back().data() : values.data(), attribute.type,
                            attribute.range.min, attribute.range.max});
    }
    VoxelValues averages;
    if (!features.empty())
        averages.means = onHost(featureMeans(features, members, grid.counts.data(), on), on);
    if (!categories.empty())
        averages.modes = onHost(voxelModes(members, categories, on), on);
    return averages;
}

OwnVoxels ownVoxels(const VoxelGrid& grid, const VoxelValues& values, const IndexBox& cells, bool withGrid,
                    const Execution& on) {
    const CellWindow window{cells.low, cells.high - cells.low};
    const WindowCounts counted = countInWindow(grid, window, on);
    OwnVoxels own{counted.points, counted.voxels, std::nullopt};
    if (!withGrid)
        return own;
    Buffer<std::uint64_t> keysHere;
    Buffer<std::uint32_t> countsHere;
    if (on.onDevice()) {
        keysHere = grid.keys.copyTo(MemorySpace::host, *on.device);
        countsHere = grid.counts.copyTo(MemorySpace::host, *on.device);
    }
    const auto& keys = on.onDevice() ? keysHere : grid.keys;
    const auto& counts = on.onDevice() ? countsHere : grid.counts;
    const std::vector<std::uint32_t> at = voxelsIn(grid.shape, keys, cells, on.stop);
    const Buffer<float> positions =
        on.onDevice() ? grid.means.copyTo(MemorySpace::host, *on.device) : Buffer<float>();
    own.grid.emplace();
    own.grid->shape = grid.shape;
    own.grid->keys = columnsAt(keys, keys.size(), at);
    own.grid->counts = columnsAt(counts, keys.size(), at);
    const Buffer<float> places = columnsAt(on.onDevice() ? positions : grid.means, keys.size(), at);
    const Buffer<float> features = columnsAt(values.means, keys.size(), at);
    own.grid->featureCount = at.empty() ? 0 : features.size() / at.size();
    own.grid->means = Buffer<float>::host(places.size() + features.size());
    std::ranges::copy(places.span(), own.grid->means.data());
    std::ranges::copy(features.span(), own.grid->means.data() + places.size());
    own.grid->modes = columnsAt(values.modes, keys.size(), at);
    return own;
}

VertexValues vertexValues(const TriangleMesh& mesh, const VoxelGrid& grid, const VoxelValues& values,
                          const SurveyAttributes& attributes, const Execution& on) {
    const std::size_t count = mesh.vertexCount(), voxels = grid.size();
    const Buffer<std::uint32_t> voxelOf = onHost(nearestVoxels(grid, mesh.positions, on), on);
    VertexValues result;
    if (attributes.colours)
        result.colours.resize(count);
    std::vector<const float*> means;         // per channel; null for classes
    std::vector<const std::uint32_t*> modes; // per channel; null if not a class
    for (std::size_t a = 0, f = 0, c = 0; a < attributes.list.size(); ++a) {
        const bool isClasses = attributes.list[a].isClasses;
        const float* mean = isClasses ? nullptr : values.means.data() + voxels * f++;
        const std::uint32_t* mode = isClasses ? values.modes.data() + voxels * c++ : nullptr;
        means.push_back(mean);
        modes.push_back(mode);
    }
    const std::size_t first = attributes.firstChannel();
    result.channels.assign(attributes.list.size() - first, std::vector<float>(count));
    std::vector<double> toOffset; // for each channel: difference between the minimum of the range and the
                                  // offset
    for (std::size_t c = 0; c < result.channels.size(); ++c)
        toOffset.push_back(attributes.list[first + c].range.min - attributes.list[first + c].offset());
    ColourColumns colours;
    if (attributes.colours) {
        const double black = attributes.colours->min;
        colours.scale = float(255 / (attributes.colours->max - black));
        const std::array<ValueColumn*, 3> columns{&colours.red, &colours.green, &colours.blue};
        for (std::size_t c = 0; c < columns.size(); ++c)
            *columns[c] = {means[c], ScalarType::float32, 1, attributes.list[c].range.min - black};
    }
    parallelFor(count, kTileVoxelsGrain, on.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t voxel = voxelOf[i];
            if (attributes.colours)
                result.colours[i] = colourAt(colours, voxel);
            for (std::size_t c = 0; c < result.channels.size(); ++c)
                result.channels[c][i] = means[first + c]
                                            ? float(double(means[first + c][voxel]) + toOffset[c])
                                            : float(modes[first + c][voxel]);
        }
    });
    return result;
}

} // namespace scanloupe
