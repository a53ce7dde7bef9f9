#include "engine/pipeline/colouring.h"

#include "engine/cloud/error.h"
#include "engine/pipeline/vertex_channels.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 15;
constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

std::uint32_t packRgb(float red, float green, float blue) {
    const auto byte = [](float v) { return std::uint32_t(std::clamp(v, 0.0f, 255.0f) + 0.5f); };
    return byte(red) | byte(green) << 8 | byte(blue) << 16 | 0xff000000u;
}

/// Three attributes that are the scan's own colours, and the factor that brings them to 0..255.
struct RgbChannels {
    int first = -1;
    double scale = 1;
};

RgbChannels rgbChannels(const ColourSource& source) {
    RgbChannels rgb;
    if (!source.points)
        return rgb;
    rgb.first = source.points->channelOf("red");
    double largest = 0;
    for (const char* name : {"red", "green", "blue"}) {
        const Attribute* attribute = source.cloud->attribute(name);
        if (!attribute)
            return {};
        largest = std::max(largest, attribute->max);
    }
    // 16-bit colours (LAS) and unit floats come in other ranges than 0..255
    rgb.scale = largest > 255 ? 255.0 / 65535 : largest <= 1 ? 255 : 1;
    return rgb;
}

[[noreturn]] void refuseColour(const Recipe& recipe, const ColourSource& source) {
    std::string names = "height, none";
    if (source.points) {
        names = "height, count, rgb, point_distance, none";
        for (const auto& channel : source.points->channels)
            names += ", " + channel.name;
    }
    throw EngineError(fmt::format("The scan has no '{}' to colour by.", recipe.colourBy),
                      fmt::format("Take one of: {}.", names));
}

/// One value a voxel.
std::vector<float> voxelValues(const Recipe& recipe, const ColourSource& source) {
    const VoxelGrid& grid = *source.voxels;
    std::vector<float> values(grid.size());
    if (recipe.colourBy == "count") {
        std::copy_n(grid.counts.data(), grid.size(), values.begin());
        return values;
    }
    const int channel = recipe.colourBy == "height" ? 2 : source.points->channelOf(recipe.colourBy);
    if (channel < 0)
        refuseColour(recipe, source);
    const double offset =
        channel == 2 ? source.originZ : source.points->channels[std::size_t(channel) - 3].offset;
    const float* means = grid.mean(std::size_t(channel));
    std::transform(means, means + grid.size(), values.begin(), [&](float v) { return float(v + offset); });
    return values;
}

void setLimits(ColourValues& colours, std::vector<float> sample) {
    std::erase_if(sample, [](float v) { return !std::isfinite(v); });
    if (sample.empty())
        return;
    const auto quantile = [&](double q) {
        const auto at = sample.begin() + std::ptrdiff_t(q * double(sample.size() - 1));
        std::nth_element(sample.begin(), at, sample.end());
        return *at;
    };
    colours.low = quantile(0.02);
    colours.high = quantile(0.98);
    if (!(colours.low < colours.high)) { // nearly all the same: show what differs
        colours.low = *std::min_element(sample.begin(), sample.end());
        colours.high =
            std::max(*std::max_element(sample.begin(), sample.end()), std::nextafter(colours.low, 1e30f));
    }
}

/// Distances begin at 0, whatever the least of them is.
void setDistances(ColourValues& colours, std::vector<float> distances, ColourMapName map) {
    setLimits(colours, distances);
    colours.low = 0;
    colours.high = std::max(colours.high, std::numeric_limits<float>::min());
    colours.values = std::move(distances);
    colours.map = colourMap(map).data();
}

/// The mean distance of each voxel's points to the mesh.
std::vector<float> voxelDistances(const VoxelGrid& grid, std::span<const float> pointDistances) {
    std::vector<double> sums(grid.size());
    std::vector<std::uint32_t> counts(grid.size());
    for (std::size_t i = 0; i < pointDistances.size(); ++i) {
        const std::uint32_t v = grid.pointVoxel[i];
        if (v == kNoVoxel || std::isnan(pointDistances[i]))
            continue;
        sums[v] += double(pointDistances[i]);
        ++counts[v];
    }
    std::vector<float> means(grid.size(), kNoValue);
    for (std::size_t v = 0; v < means.size(); ++v) {
        if (counts[v] > 0)
            means[v] = float(sums[v] / counts[v]);
    }
    return means;
}

std::vector<std::uint32_t> voxelRgb(const ColourSource& source, const RgbChannels& rgb) {
    const VoxelGrid& grid = *source.voxels;
    std::vector<std::uint32_t> colours(grid.size());
    float offset[3];
    const float* means[3];
    for (int c = 0; c < 3; ++c) {
        means[c] = grid.mean(std::size_t(rgb.first + c));
        offset[c] = float(source.points->channels[std::size_t(rgb.first + c) - 3].offset);
    }
    const auto scale = float(rgb.scale);
    for (std::size_t v = 0; v < colours.size(); ++v)
        colours[v] = packRgb((means[0][v] + offset[0]) * scale, (means[1][v] + offset[1]) * scale,
                             (means[2][v] + offset[2]) * scale);
    return colours;
}

} // namespace

Colouring ColourValues::colouring() const {
    Colouring colouring;
    colouring.values = values.empty() ? nullptr : values.data();
    colouring.rgba = rgba.empty() ? nullptr : rgba.data();
    colouring.low = low;
    colouring.high = high;
    colouring.map = map;
    return colouring;
}

std::vector<std::uint32_t> ColourValues::toRgba(std::size_t count) const {
    if (!rgba.empty())
        return rgba;
    std::vector<std::uint32_t> colours(count, Colouring{}.uniform);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float t = (values[i] - low) / (high - low);
        if (std::isfinite(t))
            colours[i] = map[int(std::clamp(t, 0.0f, 1.0f) * 255.0f + 0.5f)];
    }
    return colours;
}

bool hasRgb(const PointCloud& cloud) {
    double largest = 0;
    for (const char* name : {"red", "green", "blue"}) {
        const Attribute* attribute = cloud.attribute(name);
        if (!attribute)
            return false;
        largest = std::max(largest, attribute->max);
    }
    return largest > 0;
}

ColourValues colourVoxels(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop) {
    ColourValues colours;
    if (recipe.colourBy == "none" || !source.voxels || source.voxels->size() == 0)
        return colours;
    if (stop.stop_requested())
        throw Cancelled();
    if (recipe.colourBy == kPointDistance) {
        if (!source.pointDistances.empty())
            setDistances(colours, voxelDistances(*source.voxels, source.pointDistances), recipe.colourMap);
        return colours;
    }
    if (recipe.colourBy == "rgb") {
        const RgbChannels rgb = rgbChannels(source);
        if (rgb.first < 0)
            refuseColour(recipe, source);
        colours.rgba = voxelRgb(source, rgb);
        return colours;
    }
    colours.values = voxelValues(recipe, source);
    colours.map = colourMap(recipe.colourMap).data();
    setLimits(colours, colours.values);
    return colours;
}

ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop) {
    if (recipe.colourBy == kPointDistance) {
        ColourValues distances;
        if (!source.pointDistances.empty())
            setDistances(distances, {source.pointDistances.begin(), source.pointDistances.end()},
                         recipe.colourMap);
        return distances;
    }
    // limits come from the voxels, whatever is coloured
    ColourValues colours = colourVoxels(recipe, source, stop);
    const auto positions = source.points->positions.span();
    const auto forPoints = [&](auto&& body) {
        parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                body(i);
        });
    };
    const auto feature = [&](int channel, std::size_t i) {
        const FeatureView& view = source.points->features[std::size_t(channel) - 3];
        return view.type == FeatureView::Type::float32 ? float(static_cast<const float*>(view.data)[i])
                                                       : float(static_cast<const double*>(view.data)[i]);
    };
    if (!colours.rgba.empty()) {
        const RgbChannels rgb = rgbChannels(source);
        const auto scale = float(rgb.scale);
        colours.rgba.resize(positions.size());
        forPoints([&](std::size_t i) {
            colours.rgba[i] = packRgb(feature(rgb.first, i) * scale, feature(rgb.first + 1, i) * scale,
                                      feature(rgb.first + 2, i) * scale);
        });
    } else if (!colours.values.empty()) {
        const std::vector<float> perVoxel = std::move(colours.values);
        colours.values.assign(positions.size(), kNoValue);
        const int channel = source.points->channelOf(recipe.colourBy);
        if (recipe.colourBy == "height") {
            forPoints([&](std::size_t i) { colours.values[i] = float(positions[i].z + source.originZ); });
        } else if (recipe.colourBy == "count") {
            forPoints([&](std::size_t i) {
                const std::uint32_t v = source.voxels->pointVoxel[i];
                if (v != kNoVoxel)
                    colours.values[i] = perVoxel[v];
            });
        } else {
            forPoints([&](std::size_t i) { colours.values[i] = feature(channel, i); });
        }
    }
    return colours;
}

ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop) {
    const auto positions = mesh.positions.span();
    if (recipe.colourBy == kPointDistance && source.voxels) {
        ColourValues distances;
        if (source.vertexDistances.size() == positions.size() && !positions.empty())
            setDistances(distances, {source.vertexDistances.begin(), source.vertexDistances.end()},
                         recipe.colourMap);
        return distances;
    }
    ColourValues colours = colourVoxels(recipe, source, stop);
    if (recipe.colourBy == "height") {
        colours.values.resize(positions.size());
        std::transform(positions.begin(), positions.end(), colours.values.begin(),
                       [&](Vec3f p) { return float(p.z + source.originZ); });
        colours.map = colourMap(recipe.colourMap).data();
        if (!source.voxels)
            setLimits(colours, colours.values);
        return colours;
    }
    if (!source.voxels && recipe.colourBy != "none")
        refuseColour(recipe, source);
    const std::vector<float> values = std::move(colours.values);
    const std::vector<std::uint32_t> rgba = std::move(colours.rgba);
    colours.values.resize(values.empty() ? 0 : positions.size());
    colours.rgba.resize(rgba.empty() ? 0 : positions.size());
    if (values.empty() && rgba.empty())
        return colours;
    const std::vector<std::uint32_t> voxelOf = nearestVoxels(*source.voxels, positions, stop);
    parallelFor(positions.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (!values.empty())
                colours.values[i] = values[voxelOf[i]];
            if (!rgba.empty())
                colours.rgba[i] = rgba[voxelOf[i]];
        }
    });
    return colours;
}

} // namespace scanloupe
