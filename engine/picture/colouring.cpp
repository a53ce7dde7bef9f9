// Computes colours and mapped values of points, voxels and meshes, on the host or on the device.
#include "engine/picture/colouring.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/point_cloud.h"
#include "engine/picture/colour_columns.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/chosen_points.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/quality.h"
#include "engine/results/snapshot.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/mesh/operators.h"
#include "kernels/raster/operators.h"
#include "kernels/select/select_points.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

/// Returns the mean distance of each voxel's points to the mesh.
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

/// Computes colours in the memory space of the source.
class ColourMapper {
public:
    ColourMapper(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop)
        : m_recipe(recipe), m_source(source),
          m_mode(colourModeOf(recipe.colourBy)), m_on{source.device, stop}, m_columns(recipe, source, m_on) {}

    ColourValues voxels() {
        ColourValues colours;
        if (m_mode.data == ColourData::none || !m_source.voxels || m_source.voxels->size() == 0)
            return colours;
        if (m_on.stop.stop_requested())
            throw Cancelled();
        const std::size_t count = m_source.voxels->size();
        switch (m_mode.data) {
        case ColourData::none:
            break;
        case ColourData::distances:
            if (!m_source.pointDistances.empty())
                setDistances(colours, voxelDistances(*m_source.voxels, m_source.pointDistances));
            break;
        case ColourData::rgb:
            colours.rgba = gatherColours(m_columns.voxelColours(), count, m_on);
            break;
        case ColourData::voxelValues:
            setMapped(colours, m_mode.voxelValues(*m_source.voxels, m_on));
            break;
        case ColourData::height:
            setMapped(colours, gatherValues(m_columns.voxelHeights(), count, m_on));
            break;
        case ColourData::attribute:
            if (m_columns.showsClasses()) {
                const auto classes = m_columns.voxelClasses();
                setClasses(colours, *classes->category, classes->modes.data(), nullptr, count);
            } else {
                setMapped(colours, gatherValues(m_columns.voxelValues(), count, m_on));
            }
        }
        return colours;
    }

    ColourValues points() {
        ColourValues colours;
        if (m_mode.data == ColourData::distances) {
            if (!m_source.pointDistances.empty())
                setDistances(colours, m_columns.toPlace(m_source.pointDistances));
            return colours;
        }
        const std::size_t count = m_source.points->size();
        if (m_columns.showsClasses()) {
            const auto classes = m_columns.pointClasses();
            setClasses(colours, *classes->category, classes->codes.data(), m_source.voxels->pointVoxel.data(),
                       count);
            return colours;
        }
        colours = voxels(); // the limits for all primitives are those of the voxels
        if (!colours.rgba.empty())
            colours.rgba = gatherColours(m_columns.pointColours(), count, m_on);
        else if (colours.values.empty())
            return colours;
        else if (m_mode.data == ColourData::height)
            colours.values = gatherValues(m_columns.pointHeights(), count, m_on);
        else if (m_mode.data == ColourData::voxelValues)
            colours.values = gatherValues({colours.values.data()}, m_source.voxels->pointVoxel, m_on);
        else
            colours.values = gatherValues(m_columns.pointValues(), count, m_on);
        return colours;
    }

    /// Mixes the colours of `count` primitives with the colour of the selection.
    /// @param ofVoxels primitives are selected if their voxel contains selected points
    /// @param items index of each primitive's voxel or point; null: the identity
    ColourValues withChosen(ColourValues colours, std::size_t count, bool ofVoxels,
                            const std::uint32_t* items) const {
        if (!m_source.chosen || count == 0)
            return colours;
        if (colours.rgba.empty() && !colours.values.empty())
            colours.rgba = mappedColours(colours.values, colours.colouring(), m_on);
        else if (colours.rgba.empty())
            colours.rgba = m_columns.toPlace(
                std::span<const std::uint32_t>(std::vector<std::uint32_t>(count, Colouring{}.uniform)));
        const PointSet& set = chosenHere();
        if (ofVoxels) {
            const VoxelGrid& grid = *m_source.voxels;
            tintChosen(colours.rgba, voxelsOf(set, grid.pointVoxel, grid.size(), m_on), items, m_on);
        } else {
            tintChosen(colours.rgba, set, items, m_on);
        }
        return colours;
    }
    ColourValues withChosenVoxels(ColourValues colours) const {
        return m_source.voxels ? withChosen(std::move(colours), m_source.voxels->size(), true, nullptr)
                               : std::move(colours);
    }
    ColourValues withChosenPoints(ColourValues colours) const {
        return withChosen(std::move(colours), m_source.points ? m_source.points->size() : 0, false, nullptr);
    }
    ColourValues withChosenVertices(ColourValues colours, const TriangleMesh& mesh) const {
        if (!m_source.chosen || !m_source.voxels || mesh.positions.empty())
            return colours;
        const Buffer<std::uint32_t> voxelOf = nearestVoxels(*m_source.voxels, mesh.positions, m_on);
        return withChosen(std::move(colours), mesh.positions.size(), true, voxelOf.data());
    }

    ColourValues mesh(const TriangleMesh& mesh) {
        ColourValues colours;
        const std::size_t count = mesh.positions.size();
        if (m_mode.data == ColourData::distances && m_source.voxels) {
            if (m_source.vertexDistances.size() == count && count > 0)
                setDistances(colours, m_columns.toPlace(m_source.vertexDistances));
            return colours;
        }
        colours = voxels();
        if (m_mode.data == ColourData::height) {
            Buffer<float> own = gatherValues(m_columns.heights(mesh.positions), count, m_on);
            if (m_source.voxels)
                colours.values = std::move(own);
            else
                setMapped(colours, std::move(own));
            colours.map = colourMapOf(m_recipe).data();
            return colours;
        }
        if (!m_source.voxels && m_mode.data != ColourData::none)
            m_columns.refuse();
        if (!m_source.voxels || (colours.values.empty() && colours.rgba.empty()))
            return colours;
        const Buffer<std::uint32_t> voxelOf = nearestVoxels(*m_source.voxels, mesh.positions, m_on);
        if (colours.classes.count > 0)
            colours.rgba = m_columns.classColours(voxelOf);
        else if (!colours.values.empty())
            colours.values = gatherValues({colours.values.data()}, voxelOf, m_on);
        else
            colours.rgba = gatherColours(m_columns.voxelColours(), voxelOf, m_on);
        return colours;
    }

private:
    void setMapped(ColourValues& colours, Buffer<float> values) const {
        if (showsTolerance(m_recipe)) {
            colours.high = float(kToleranceReach * m_recipe.tolerance);
            colours.low = -colours.high;
        } else if (m_recipe.colourLow && m_recipe.colourHigh) {
            setGivenLimits(colours);
        } else {
            const bool isOnDevice = values.space() == MemorySpace::device; // distances of voxels are never on
                                                                           // the device
            const ValueLimits limits = limitsOf(values, isOnDevice ? m_on : m_on.onHost());
            colours.low = limits.low;
            colours.high = limits.high;
            const bool isSigned = m_mode.data == ColourData::attribute && limits.low < 0 && limits.high > 0;
            if (m_mode.isOfDeviations || (isSigned && m_recipe.colourMap == ColourMapName::coolWarm)) {
                // zero is in the middle of the colour map
                colours.high = std::max(
                    {std::abs(limits.low), std::abs(limits.high), std::numeric_limits<float>::min()});
                colours.low = -colours.high;
            }
        }
        colours.values = std::move(values);
        colours.map = colourMapOf(m_recipe).data();
    }
    /// Sets the recipe's limits. Limits that differ as doubles may be equal in single precision.
    void setGivenLimits(ColourValues& colours) const {
        colours.low = float(*m_recipe.colourLow);
        colours.high = std::max(float(*m_recipe.colourHigh),
                                std::nextafter(colours.low, std::numeric_limits<float>::max()));
    }
    /// Sets distances as values. The colour map begins at 0 for any minimum.
    void setDistances(ColourValues& colours, Buffer<float> distances) const {
        setMapped(colours, std::move(distances));
        if (m_recipe.colourLow && m_recipe.colourHigh)
            return;
        colours.low = 0;
        colours.high = std::max(colours.high, std::numeric_limits<float>::min());
    }

    /// Sets colours by class codes, and lists the classes that occur. @param mask see presentClasses
    void setClasses(ColourValues& colours, const Category& category, const std::uint32_t* codes,
                    const std::uint32_t* mask, std::size_t count) const {
        const std::size_t known = category.values.size();
        const Buffer<std::uint32_t> palette = m_columns.palette(category);
        const ClassColumn column{codes, palette.data()};
        colours.rgba = gatherColours(column, count, m_on);
        const Buffer<std::uint8_t> present = presentClasses(codes, mask, count, known, m_on);
        for (std::uint32_t k = 0; k < known; ++k) {
            if (present[k] == 0)
                continue;
            ++colours.classes.count;
            if (colours.classes.listed.size() == ClassColours::kMaxListed)
                continue;
            colours.classes.listed.push_back({classText(category, k), category.colour(k)});
        }
    }
    const PointSet& chosenHere() const {
        const DeviceOrHost<StoredPointSet>& set = m_source.chosen->set;
        if (!m_on.onDevice())
            return set.host();
        if (set.onDevice())
            return set.device();
        return m_chosen = set.host().copyTo(MemorySpace::device, *m_on.device);
    }

    const Recipe& m_recipe;
    const ColourSource& m_source;
    const ColourMode& m_mode;
    const Execution m_on;
    const SourceColumns m_columns;
    mutable PointSet m_chosen; ///< copy of the selection in the memory space of the colours
};

} // namespace

std::string classText(const Category& category, std::uint32_t code) {
    const std::string_view name = category.className(code);
    return category.valueText(code) + (name.empty() ? "" : " ") + std::string(name);
}

Colouring ColourValues::colouring() const {
    Colouring colouring;
    colouring.values = values.empty() ? nullptr : values.data();
    colouring.rgba = rgba.empty() ? nullptr : rgba.data();
    colouring.low = low;
    colouring.high = high;
    colouring.map = map;
    colouring.discrete = classes.count > 0;
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

bool showsTolerance(const Recipe& recipe) {
    return colourModeOf(recipe.colourBy).isOfDeviations && recipe.tolerance > 0;
}

std::span<const std::uint32_t, 256> colourMapOf(const Recipe& recipe) {
    return showsTolerance(recipe) ? toleranceMap() : colourMap(recipe.colourMap, recipe.colourReversed);
}

bool canColourOnDevice(const Recipe& recipe) {
    return colourModeOf(recipe.colourBy).data != ColourData::distances ||
           recipe.show != PictureContent::voxels;
}

ColourValues colourVoxels(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop) {
    ColourMapper mapper(recipe, source, stop);
    return mapper.withChosenVoxels(mapper.voxels());
}

ColourValues colourPoints(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop) {
    ColourMapper mapper(recipe, source, stop);
    return mapper.withChosenPoints(mapper.points());
}

ColourValues colourMesh(const Recipe& recipe, const ColourSource& source, const TriangleMesh& mesh,
                        const std::stop_token& stop) {
    ColourMapper mapper(recipe, source, stop);
    return mapper.withChosenVertices(mapper.mesh(mesh), mesh);
}

ColourSource colourSource(const Snapshot& snapshot) {
    return colourSource(snapshot, nullptr, snapshot.voxels ? &snapshot.voxels.host() : nullptr);
}

ColourSource shownVoxelSource(const Snapshot& snapshot, const VoxelGrid* voxels) {
    ColourSource source = colourSource(snapshot, nullptr, voxels);
    source.attributes = snapshot.shownAttributes.get();
    return source;
}

ColourSource colourSource(const Snapshot& snapshot, const KernelPoints* devicePoints,
                          const VoxelGrid* voxels) {
    ColourSource source;
    source.cloud = snapshot.cloud.get();
    source.points = snapshot.points.get();
    source.devicePoints = devicePoints;
    source.voxels = voxels;
    source.attributes = snapshot.attributes.get();
    source.origin = snapshot.origin();
    source.chosen = snapshot.chosen.get();
    if (snapshot.vertexDistances)
        source.vertexDistances = snapshot.vertexDistances->span();
    if (snapshot.quality && snapshot.quality->ofAllPoints())
        source.pointDistances = snapshot.quality->distances.values.span();
    return source;
}

} // namespace scanloupe
