// Finds the columns of values and classes of points and voxels that colours are computed from.
#include "engine/picture/colour_columns.h"

#include "engine/cloud/categories.h"
#include "engine/cloud/error.h"
#include "engine/cloud/point_cloud.h"
#include "engine/recipe/colour_mode.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/voxel_attributes.h"
#include "kernels/raster/operators.h"

#include <fmt/format.h>
#include <string>

namespace scanloupe {

namespace {

/// Red, green and blue of a scan, with the linear map from their values to 0..255.
struct RgbAttributes {
    const Attribute *red = nullptr, *green = nullptr, *blue = nullptr;
    double black = 0, scale = 1;
};

RgbAttributes rgbOf(const SourceColumns& columns, const ColourSource& source) {
    if (!source.attributes || !source.cloud->colourRange())
        columns.refuse();
    const ValueRange range = *source.cloud->colourRange();
    return {source.cloud->attribute("red"), source.cloud->attribute("green"), source.cloud->attribute("blue"),
            range.min, 255 / (range.max - range.min)};
}

ColourColumns fromBlack(ColourColumns columns, double black) {
    for (ValueColumn* column : {&columns.red, &columns.green, &columns.blue})
        column->offset -= black;
    return columns;
}

/// The axis along which heights are measured, and its sign.
struct HeightAxis {
    int axis = 2;
    double sign = 1;
};

HeightAxis heightAxis(const Recipe& recipe) {
    const auto up = std::size_t(recipe.up.value_or(UpAxis::z));
    return {int(up / 2), up % 2 == 0 ? 1.0 : -1.0};
}

} // namespace

SourceColumns::SourceColumns(const Recipe& recipe, const ColourSource& source, const Execution& on)
    : m_recipe(recipe), m_source(source), m_mode(colourModeOf(recipe.colourBy)), m_on(on) {}

void SourceColumns::refuse() const {
    std::string names;
    for (const ColourMode& mode : colourModes()) {
        if (mode.data != ColourData::attribute && (m_source.points || mode.isOfVolumes()))
            names += std::string(names.empty() ? "" : ", ") + std::string(mode.key);
    }
    for (const bool ofClasses : {false, true})
        for (const Attribute* attribute :
             m_source.cloud ? attributesInOrder(*m_source.cloud) : std::vector<const Attribute*>{})
            if (isCategorical(*attribute) == ofClasses)
                names += ", " + attribute->name;
    throw EngineError(fmt::format("The scan can't be coloured by '{}', which it does not have.",
                                  colourAttribute(m_recipe.colourBy)),
                      fmt::format("Use one of: {}.", names));
}

const Attribute& SourceColumns::attribute() const {
    const Attribute* found =
        m_source.cloud ? m_source.cloud->attribute(colourAttribute(m_recipe.colourBy)) : nullptr;
    if (!found || !m_source.attributes)
        refuse();
    return *found;
}

bool SourceColumns::showsClasses() const {
    return m_mode.data == ColourData::attribute && m_source.attributes && isCategorical(attribute());
}

std::shared_ptr<const VoxelAttribute> SourceColumns::ofVoxels(const Attribute& attribute) const {
    return m_heldOfVoxels.emplace_back(m_source.attributes->on(m_on, attribute));
}

std::shared_ptr<const PointAttribute> SourceColumns::ofPoints(const Attribute& attribute) const {
    return m_heldOfPoints.emplace_back(m_source.attributes->points().on(m_on, attribute));
}

Buffer<std::uint32_t> SourceColumns::palette(const Category& classes) const {
    std::vector<std::uint32_t> palette(classes.values.size());
    for (std::size_t k = 0; k < palette.size(); ++k)
        palette[k] = classes.colour(std::uint32_t(k));
    return toPlace(std::span<const std::uint32_t>(palette));
}

Buffer<std::uint32_t> SourceColumns::classColours(const Buffer<std::uint32_t>& voxelOf) const {
    const auto classes = voxelClasses();
    const Buffer<std::uint32_t> colours = palette(*classes->category);
    return gatherColours(ClassColumn{classes->modes.data(), colours.data()}, voxelOf, m_on);
}

const Buffer<Vec3f>& SourceColumns::pointPositions() const {
    if (m_on.onDevice() && !m_source.devicePoints)
        throw Fault("colours of points were requested on a device without the points");
    return (m_source.devicePoints ? *m_source.devicePoints : m_source.points->all(m_on.stop)).positions;
}

// An empty buffer has no first coordinate and gives an empty column.
ValueColumn SourceColumns::heights(const Buffer<Vec3f>& positions) const {
    if (positions.empty())
        return {};
    const HeightAxis up = heightAxis(m_recipe);
    return {&positions.data()->x + up.axis, ScalarType::float32, 3, up.sign * m_source.origin[up.axis],
            up.sign};
}

ValueColumn SourceColumns::voxelHeights() const {
    const HeightAxis up = heightAxis(m_recipe);
    return {m_source.voxels->mean(std::size_t(up.axis)), ScalarType::float32, 1,
            up.sign * m_source.origin[up.axis], up.sign};
}

ValueColumn SourceColumns::pointHeights() const {
    return heights(pointPositions());
}

ValueColumn SourceColumns::voxelColumn(const Attribute& attribute) const {
    return {ofVoxels(attribute)->means.data(), ScalarType::float32, 1, attribute.min()};
}

ValueColumn SourceColumns::pointColumn(const Attribute& attribute) const {
    const FeatureView& numbers = ofPoints(attribute)->numbers;
    return {numbers.data, numbers.type};
}

ColourColumns SourceColumns::voxelColours() const {
    const RgbAttributes of = rgbOf(*this, m_source);
    return fromBlack({voxelColumn(*of.red), voxelColumn(*of.green), voxelColumn(*of.blue), float(of.scale)},
                     of.black);
}

ColourColumns SourceColumns::pointColours() const {
    const RgbAttributes of = rgbOf(*this, m_source);
    return fromBlack({pointColumn(*of.red), pointColumn(*of.green), pointColumn(*of.blue), float(of.scale)},
                     of.black);
}

} // namespace scanloupe
