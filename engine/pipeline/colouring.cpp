#include "engine/pipeline/colouring.h"

#include "engine/cloud/error.h"
#include "kernels/mesh/nearest_voxels.h"
#include "kernels/raster/colour_values.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace scanloupe {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

/// Three attributes that are the scan's own colours, and what brings them to 0..255.
struct RgbChannels {
    int first = -1;
    double black = 0, scale = 1;
};

RgbChannels rgbChannels(const ColourSource& source) {
    if (!source.points || !source.cloud->colourRange())
        return {};
    const ValueRange range = *source.cloud->colourRange();
    return {source.points->channelOf("red"), range.min, 255 / (range.max - range.min)};
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

/// The mean distance of each voxel's points to the mesh.
Buffer<float> voxelDistances(const VoxelGrid& grid, std::span<const float> pointDistances) {
    std::vector<double> sums(grid.size());
    std::vector<std::uint32_t> counts(grid.size());
    for (std::size_t i = 0; i < pointDistances.size(); ++i) {
        const std::uint32_t v = grid.pointVoxel[i];
        if (v == kNoVoxel || std::isnan(pointDistances[i]))
            continue;
        sums[v] += double(pointDistances[i]);
        ++counts[v];
    }
    auto means = Buffer<float>::host(grid.size());
    for (std::size_t v = 0; v < means.size(); ++v)
        means[v] = counts[v] > 0 ? float(sums[v] / counts[v]) : kNoValue;
    return means;
}

/// Works colours out where the source lies.
class Colourist {
public:
    Colourist(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop)
        : m_recipe(recipe), m_source(source), m_stop(stop) {}

    ColourValues voxels() {
        ColourValues colours;
        if (m_recipe.colourBy == "none" || !m_source.voxels || m_source.voxels->size() == 0)
            return colours;
        if (m_stop.stop_requested())
            throw Cancelled();
        const std::size_t count = m_source.voxels->size();
        if (m_recipe.colourBy == kPointDistance) {
            if (!m_source.pointDistances.empty())
                setDistances(colours, voxelDistances(*m_source.voxels, m_source.pointDistances));
        } else if (m_recipe.colourBy == "rgb") {
            const ColourColumns columns = voxelColours();
            colours.rgba = m_source.device ? cuda::takeColours(columns, count, *m_source.device)
                                           : cpu::takeColours(columns, count, m_stop);
        } else {
            setMapped(colours, take(voxelColumn(), count));
        }
        return colours;
    }

    ColourValues points() {
        ColourValues colours;
        if (m_recipe.colourBy == kPointDistance) {
            if (!m_source.pointDistances.empty())
                setDistances(colours, toPlace(m_source.pointDistances));
            return colours;
        }
        colours = voxels(); // limits come from the voxels, whatever is coloured
        const std::size_t count = m_source.points->positions.size();
        if (!colours.rgba.empty()) {
            const ColourColumns columns = pointColours();
            colours.rgba = m_source.device ? cuda::takeColours(columns, count, *m_source.device)
                                           : cpu::takeColours(columns, count, m_stop);
        } else if (!colours.values.empty() && m_recipe.colourBy == "height") {
            colours.values = take(heights(m_source.points->positions), count);
        } else if (!colours.values.empty() && m_recipe.colourBy == "count") {
            colours.values = take(voxelColumn(), m_source.voxels->pointVoxel);
        } else if (!colours.values.empty()) {
            colours.values = take(feature(m_source.points->channelOf(m_recipe.colourBy)), count);
        }
        return colours;
    }

    ColourValues mesh(const TriangleMesh& mesh) {
        ColourValues colours;
        const std::size_t count = mesh.positions.size();
        if (m_recipe.colourBy == kPointDistance && m_source.voxels) {
            if (m_source.vertexDistances.size() == count && count > 0)
                setDistances(colours, toPlace(m_source.vertexDistances));
            return colours;
        }
        colours = voxels();
        if (m_recipe.colourBy == "height") {
            Buffer<float> own = take(heights(mesh.positions), count);
            if (m_source.voxels)
                colours.values = std::move(own);
            else
                setMapped(colours, std::move(own));
            colours.map = colourMap(m_recipe.colourMap).data();
            return colours;
        }
        if (!m_source.voxels && m_recipe.colourBy != "none")
            refuseColour(m_recipe, m_source);
        if (colours.values.empty() && colours.rgba.empty())
            return colours;
        const Buffer<std::uint32_t> voxelOf =
            m_source.device ? cuda::nearestVoxels(*m_source.voxels, mesh.positions, m_stop, *m_source.device)
                            : cpu::nearestVoxels(*m_source.voxels, mesh.positions.span(), m_stop);
        if (!colours.values.empty())
            colours.values = take(voxelColumn(), voxelOf);
        else
            colours.rgba = m_source.device ? cuda::takeColours(voxelColours(), voxelOf, *m_source.device)
                                           : cpu::takeColours(voxelColours(), voxelOf.span(), m_stop);
        return colours;
    }

private:
    Buffer<float> take(const ValueColumn& column, std::size_t count) const {
        return m_source.device ? cuda::takeValues(column, count, *m_source.device)
                               : cpu::takeValues(column, count, m_stop);
    }
    Buffer<float> take(const ValueColumn& column, const Buffer<std::uint32_t>& indices) const {
        return m_source.device ? cuda::takeValues(column, indices, *m_source.device)
                               : cpu::takeValues(column, indices.span(), m_stop);
    }
    Buffer<float> toPlace(std::span<const float> values) const {
        Buffer<float> copy = hostCopy(values);
        if (!m_source.device)
            return copy;
        Buffer<float> there = copy.copyTo(MemorySpace::device, *m_source.device);
        m_source.device->synchronize(); // from ordinary memory that goes now
        return there;
    }
    ValueLimits limitsOf(const Buffer<float>& values) const {
        return m_source.device && values.space() == MemorySpace::device
                   ? cuda::limitsOf(values, *m_source.device)
                   : cpu::limitsOf(values.span());
    }
    void setMapped(ColourValues& colours, Buffer<float> values) const {
        const ValueLimits limits = limitsOf(values);
        colours.low = limits.low;
        colours.high = limits.high;
        colours.values = std::move(values);
        colours.map = colourMap(m_recipe.colourMap).data();
    }
    /// Distances begin at 0, whatever the least of them is.
    void setDistances(ColourValues& colours, Buffer<float> distances) const {
        setMapped(colours, std::move(distances));
        colours.low = 0;
        colours.high = std::max(colours.high, std::numeric_limits<float>::min());
    }

    /// The axis that heights are measured along, and which way.
    struct Height {
        int axis = 2;
        double sign = 1;
    };
    Height height() const {
        const auto up = std::size_t(m_recipe.up.value_or(UpAxis::z));
        return {int(up / 2), up % 2 == 0 ? 1.0 : -1.0};
    }
    ValueColumn heights(const Buffer<Vec3f>& positions) const {
        const Height up = height();
        return {&positions.data()->x + up.axis, ValueColumn::Type::float32, 3,
                up.sign * m_source.origin[up.axis], up.sign};
    }
    /// What voxels are coloured by.
    ValueColumn voxelColumn() const {
        const VoxelGrid& grid = *m_source.voxels;
        if (m_recipe.colourBy == "count")
            return {grid.counts.data(), ValueColumn::Type::uint32};
        if (m_recipe.colourBy == "height") {
            const Height up = height();
            return {grid.mean(std::size_t(up.axis)), ValueColumn::Type::float32, 1,
                    up.sign * m_source.origin[up.axis], up.sign};
        }
        const int channel = m_source.points->channelOf(m_recipe.colourBy);
        if (channel < 0)
            refuseColour(m_recipe, m_source);
        return voxelChannel(channel);
    }
    ValueColumn voxelChannel(int channel) const {
        const double offset = m_source.points->channels[std::size_t(channel) - 3].offset;
        return {m_source.voxels->mean(std::size_t(channel)), ValueColumn::Type::float32, 1, offset};
    }
    /// What the points hold themselves.
    ValueColumn feature(int channel) const {
        const FeatureView& view = m_source.points->features[std::size_t(channel) - 3];
        return {view.data, view.type == FeatureView::Type::float32 ? ValueColumn::Type::float32
                                                                   : ValueColumn::Type::float64};
    }
    RgbChannels rgb() const {
        const RgbChannels channels = rgbChannels(m_source);
        if (channels.first < 0)
            refuseColour(m_recipe, m_source);
        return channels;
    }
    ColourColumns voxelColours() const {
        const RgbChannels channels = rgb();
        return fromBlack({voxelChannel(channels.first), voxelChannel(channels.first + 1),
                          voxelChannel(channels.first + 2), float(channels.scale)},
                         channels.black);
    }
    ColourColumns pointColours() const {
        const RgbChannels channels = rgb();
        return fromBlack({feature(channels.first), feature(channels.first + 1), feature(channels.first + 2),
                          float(channels.scale)},
                         channels.black);
    }
    static ColourColumns fromBlack(ColourColumns columns, double black) {
        for (ValueColumn* column : {&columns.red, &columns.green, &columns.blue})
            column->offset -= black;
        return columns;
    }

    const Recipe& m_recipe;
    const ColourSource& m_source;
    const std::stop_token& m_stop;
};

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
        return {rgba.span().begin(), rgba.span().end()};
    std::vector<std::uint32_t> colours(count, Colouring{}.uniform);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float t = (values[i] - low) / (high - low);
        if (std::isfinite(t))
            colours[i] = map[int(std::clamp(t, 0.0f, 1.0f) * 255.0f + 0.5f)];
    }
    return colours;
}

bool canColourOnDevice(const Recipe& recipe) {
    return recipe.colourBy != kPointDistance || recipe.show != PictureContent::voxels;
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
    return Colourist(recipe, source, stop).voxels();
}

ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop) {
    return Colourist(recipe, source, stop).points();
}

ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop) {
    return Colourist(recipe, source, stop).mesh(mesh);
}

} // namespace scanloupe
