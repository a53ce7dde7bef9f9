// Computes colours and mapped values of points, voxels and meshes, on the host or on the device.
#include "engine/picture/colouring.h"

#include "engine/cloud/error.h"
#include "engine/recipe/colour_mode.h"
#include "kernels/mesh/operators.h"
#include "kernels/raster/operators.h"
#include "kernels/select/operators.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace scanloupe {

namespace {

constexpr float kNoValue = std::numeric_limits<float>::quiet_NaN();

/// Red, green and blue of a scan, and the linear map from their values to 0..255.
struct RgbAttributes {
    const Attribute *red = nullptr, *green = nullptr, *blue = nullptr;
    double black = 0, scale = 1;
};

[[noreturn]] void refuseColour(const Recipe& recipe, const ColourSource& source) {
    std::string names;
    for (const ColourMode& mode : colourModes()) {
        if (mode.data != ColourData::attribute && (source.points || mode.isOfVolumes()))
            names += std::string(names.empty() ? "" : ", ") + std::string(mode.key);
    }
    for (const bool ofClasses : {false, true})
        for (const Attribute* attribute :
             source.cloud ? attributesInOrder(*source.cloud) : std::vector<const Attribute*>{})
            if (isCategorical(*attribute) == ofClasses)
                names += ", " + attribute->name;
    throw EngineError(fmt::format("The scan has no '{}' to colour by.", colourAttribute(recipe.colourBy)),
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

/// Computes colours in the memory space of the source.
class ColourMapper {
public:
    ColourMapper(const Recipe& recipe, const ColourSource& source, const std::stop_token& stop)
        : m_recipe(recipe), m_source(source), m_mode(colourModeOf(recipe.colourBy)),
          m_attribute(colourAttribute(recipe.colourBy)), m_on{source.device, stop} {}

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
            colours.rgba = gatherColours(voxelColours(), count, m_on);
            break;
        case ColourData::voxelValues:
            setMapped(colours, m_mode.voxelValues(*m_source.voxels, m_on));
            break;
        case ColourData::height:
            setMapped(colours, gatherValues(voxelHeights(), count, m_on));
            break;
        case ColourData::attribute:
            if (showsClasses()) {
                const auto classes = ofVoxels(attribute());
                setClasses(colours, *classes->category, classes->modes.data(), nullptr, count);
            } else {
                setMapped(colours, gatherValues(voxelColumn(attribute()), count, m_on));
            }
        }
        return colours;
    }

    ColourValues points() {
        ColourValues colours;
        if (m_mode.data == ColourData::distances) {
            if (!m_source.pointDistances.empty())
                setDistances(colours, toPlace(m_source.pointDistances));
            return colours;
        }
        const std::size_t count = m_source.points->size();
        if (showsClasses()) {
            const auto classes = ofPoints(attribute());
            setClasses(colours, *classes->category, classes->codes.data(), m_source.voxels->pointVoxel.data(),
                       count);
            return colours;
        }
        colours = voxels(); // limits come from the voxels for all primitives
        if (!colours.rgba.empty())
            colours.rgba = gatherColours(pointColours(), count, m_on);
        else if (colours.values.empty())
            return colours;
        else if (m_mode.data == ColourData::height)
            colours.values = gatherValues(heights(pointPositions()), count, m_on);
        else if (m_mode.data == ColourData::voxelValues)
            colours.values = gatherValues({colours.values.data()}, m_source.voxels->pointVoxel, m_on);
        else
            colours.values = gatherValues(pointColumn(attribute()), count, m_on);
        return colours;
    }

    /// Mixes the colours of `count` voxels or points, or of vertices in voxels, with that of the selection.
    /// @param ofVoxels by the voxels in which selected points lie; @param items null: each is its own
    ColourValues withChosen(ColourValues colours, std::size_t count, bool ofVoxels,
                            const std::uint32_t* items) const {
        if (!m_source.chosen || count == 0)
            return colours;
        if (colours.rgba.empty() && !colours.values.empty())
            colours.rgba = mappedColours(colours.values, colours.colouring(), m_on);
        else if (colours.rgba.empty())
            colours.rgba = toPlace(
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

    const Buffer<Vec3f>& pointPositions() const {
        if (m_on.onDevice() && !m_source.devicePoints)
            throw Fault("colours of points were asked for on a device where they are not");
        return (m_source.devicePoints ? *m_source.devicePoints : m_source.points->all(m_on.stop)).positions;
    }

    ColourValues mesh(const TriangleMesh& mesh) {
        ColourValues colours;
        const std::size_t count = mesh.positions.size();
        if (m_mode.data == ColourData::distances && m_source.voxels) {
            if (m_source.vertexDistances.size() == count && count > 0)
                setDistances(colours, toPlace(m_source.vertexDistances));
            return colours;
        }
        colours = voxels();
        if (m_mode.data == ColourData::height) {
            Buffer<float> own = gatherValues(heights(mesh.positions), count, m_on);
            if (m_source.voxels)
                colours.values = std::move(own);
            else
                setMapped(colours, std::move(own));
            colours.map = colourMapOf(m_recipe).data();
            return colours;
        }
        if (!m_source.voxels && m_mode.data != ColourData::none)
            refuseColour(m_recipe, m_source);
        if (!m_source.voxels || (colours.values.empty() && colours.rgba.empty()))
            return colours;
        const Buffer<std::uint32_t> voxelOf = nearestVoxels(*m_source.voxels, mesh.positions, m_on);
        if (colours.classes.count > 0)
            colours.rgba = classesOf(attribute(), voxelOf);
        else if (!colours.values.empty())
            colours.values = gatherValues({colours.values.data()}, voxelOf, m_on);
        else
            colours.rgba = gatherColours(voxelColours(), voxelOf, m_on);
        return colours;
    }

private:
    template <class T>
    Buffer<T> toPlace(std::span<const T> values) const {
        Buffer<T> copy = hostCopy(values);
        if (!m_source.device)
            return copy;
        Buffer<T> there = copy.copyTo(MemorySpace::device, *m_source.device);
        m_source.device->synchronize(); // the copy reads pageable memory that is freed here
        return there;
    }
    void setMapped(ColourValues& colours, Buffer<float> values) const {
        if (showsTolerance(m_recipe)) {
            colours.high = float(kToleranceReach * m_recipe.tolerance);
            colours.low = -colours.high;
        } else if (m_recipe.colourLow && m_recipe.colourHigh) {
            setGivenLimits(colours);
        } else {
            const bool isOnDevice = values.space() == MemorySpace::device; // distances of voxels never are
            const ValueLimits limits = limitsOf(values, isOnDevice ? m_on : m_on.onHost());
            colours.low = limits.low;
            colours.high = limits.high;
            const bool isSigned = m_mode.data == ColourData::attribute && limits.low < 0 && limits.high > 0;
            if (m_mode.isOfDeviations || (isSigned && m_recipe.colourMap == ColourMapName::coolWarm)) {
                // zero is the middle of the map
                colours.high = std::max(
                    {std::abs(limits.low), std::abs(limits.high), std::numeric_limits<float>::min()});
                colours.low = -colours.high;
            }
        }
        colours.values = std::move(values);
        colours.map = colourMapOf(m_recipe).data();
    }
    /// Limits that differ as doubles may be equal in single precision.
    void setGivenLimits(ColourValues& colours) const {
        colours.low = float(*m_recipe.colourLow);
        colours.high = std::max(float(*m_recipe.colourHigh),
                                std::nextafter(colours.low, std::numeric_limits<float>::max()));
    }
    /// Distances are mapped from 0 on, whatever their minimum.
    void setDistances(ColourValues& colours, Buffer<float> distances) const {
        setMapped(colours, std::move(distances));
        if (m_recipe.colourLow && m_recipe.colourHigh)
            return;
        colours.low = 0;
        colours.high = std::max(colours.high, std::numeric_limits<float>::min());
    }

    /// The attribute that the recipe colours by.
    const Attribute& attribute() const {
        const Attribute* found = m_source.cloud ? m_source.cloud->attribute(m_attribute) : nullptr;
        if (!found || !m_source.attributes)
            refuseColour(m_recipe, m_source);
        return *found;
    }
    bool showsClasses() const {
        return m_mode.data == ColourData::attribute && m_source.attributes && isCategorical(attribute());
    }
    /// Values are kept until the colours are made of them, which may be after a function has returned.
    std::shared_ptr<const VoxelAttribute> ofVoxels(const Attribute& attribute) const {
        return m_heldOfVoxels.emplace_back(m_source.attributes->on(m_on, attribute));
    }
    std::shared_ptr<const PointAttribute> ofPoints(const Attribute& attribute) const {
        return m_heldOfPoints.emplace_back(m_source.attributes->points().on(m_on, attribute));
    }
    Buffer<std::uint32_t> classPalette(const Category& classes) const {
        std::vector<std::uint32_t> palette(classes.values.size());
        for (std::size_t k = 0; k < palette.size(); ++k)
            palette[k] = classes.colour(std::uint32_t(k));
        return toPlace(std::span<const std::uint32_t>(palette));
    }
    /// Sets colours by class codes, and lists the classes that occur. `mask`: see presentClasses.
    void setClasses(ColourValues& colours, const Category& category, const std::uint32_t* codes,
                    const std::uint32_t* mask, std::size_t count) const {
        const std::size_t known = category.values.size();
        const Buffer<std::uint32_t> palette = classPalette(category);
        const ClassColumn column{codes, palette.data()};
        colours.rgba = gatherColours(column, count, m_on);
        const Buffer<std::uint8_t> present = presentClasses(codes, mask, count, known, m_on);
        for (std::uint32_t k = 0; k < known; ++k) {
            if (present[k] == 0)
                continue;
            ++colours.classes.count;
            if (colours.classes.listed.size() == ClassColours::kMostListed)
                continue;
            colours.classes.listed.push_back({classText(category, k), category.colour(k)});
        }
    }
    Buffer<std::uint32_t> classesOf(const Attribute& attribute, const Buffer<std::uint32_t>& voxelOf) const {
        const auto classes = ofVoxels(attribute);
        const Buffer<std::uint32_t> palette = classPalette(*classes->category);
        return gatherColours(ClassColumn{classes->modes.data(), palette.data()}, voxelOf, m_on);
    }
    /// The axis that heights are measured along, and its sign.
    struct Height {
        int axis = 2;
        double sign = 1;
    };
    Height height() const {
        const auto up = std::size_t(m_recipe.up.value_or(UpAxis::z));
        return {int(up / 2), up % 2 == 0 ? 1.0 : -1.0};
    }
    /// An empty buffer has no address of a coordinate: it gives an empty column.
    ValueColumn heights(const Buffer<Vec3f>& positions) const {
        if (positions.empty())
            return {};
        const Height up = height();
        return {&positions.data()->x + up.axis, ScalarType::float32, 3, up.sign * m_source.origin[up.axis],
                up.sign};
    }
    ValueColumn voxelHeights() const {
        const Height up = height();
        return {m_source.voxels->mean(std::size_t(up.axis)), ScalarType::float32, 1,
                up.sign * m_source.origin[up.axis], up.sign};
    }
    ValueColumn voxelColumn(const Attribute& attribute) const {
        return {ofVoxels(attribute)->means.data(), ScalarType::float32, 1, attribute.min()};
    }
    /// An attribute of the points themselves.
    ValueColumn pointColumn(const Attribute& attribute) const {
        const FeatureView& numbers = ofPoints(attribute)->numbers;
        return {numbers.data, numbers.type};
    }
    const PointSet& chosenHere() const {
        const DeviceOrHost<StoredPointSet>& set = m_source.chosen->set;
        if (!m_on.onDevice())
            return set.host();
        if (set.onDevice())
            return set.device();
        return m_chosen = set.host().copyTo(MemorySpace::device, *m_on.device);
    }
    RgbAttributes rgb() const {
        if (!m_source.attributes || !m_source.cloud->colourRange())
            refuseColour(m_recipe, m_source);
        const ValueRange range = *m_source.cloud->colourRange();
        return {m_source.cloud->attribute("red"), m_source.cloud->attribute("green"),
                m_source.cloud->attribute("blue"), range.min, 255 / (range.max - range.min)};
    }
    ColourColumns voxelColours() const {
        const RgbAttributes of = rgb();
        return fromBlack(
            {voxelColumn(*of.red), voxelColumn(*of.green), voxelColumn(*of.blue), float(of.scale)}, of.black);
    }
    ColourColumns pointColours() const {
        const RgbAttributes of = rgb();
        return fromBlack(
            {pointColumn(*of.red), pointColumn(*of.green), pointColumn(*of.blue), float(of.scale)}, of.black);
    }
    static ColourColumns fromBlack(ColourColumns columns, double black) {
        for (ValueColumn* column : {&columns.red, &columns.green, &columns.blue})
            column->offset -= black;
        return columns;
    }

    const Recipe& m_recipe;
    const ColourSource& m_source;
    const ColourMode& m_mode;
    const std::string_view m_attribute;
    const Execution m_on;
    mutable PointSet m_chosen; ///< a copy of the selection where colours are computed
    mutable std::vector<std::shared_ptr<const VoxelAttribute>> m_heldOfVoxels;
    mutable std::vector<std::shared_ptr<const PointAttribute>> m_heldOfPoints;
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
