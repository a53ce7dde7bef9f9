// Builds a point cloud with its bounds and origin, and converts coordinates to single precision.
#include "engine/cloud/point_cloud.h"

#include "engine/cloud/cloud_limits.h"
#include "engine/cloud/colour_range.h"
#include "engine/cloud/source_metadata.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kPointCloudGrain = std::size_t{1} << 16;

Vec3d coordinate(const FloatPositions& held, const ScaledFrame&, std::size_t i) {
    return held.xyz[i].as<double>();
}
Vec3d coordinate(const DoublePositions& held, const ScaledFrame&, std::size_t i) {
    return held.xyz[i];
}
Vec3d coordinate(const ScaledPositions& held, const ScaledFrame& frame, std::size_t i) {
    return frame.position(held.xyz[i]);
}

ScaledFrame frameOf(const Positions& positions) {
    const auto* held = std::get_if<ScaledPositions>(&positions);
    return held ? ScaledFrame(held->scale, held->offset) : ScaledFrame();
}

/// Bounds of most points. Removed points are included, so that removing points does not move the origin.
Bounds trimmedBounds(const Positions& positions, const ScaledFrame& frame, const Bounds& all) {
    return std::visit(
        [&](const auto& held) {
            return detail::trimmedBounds(
                held.xyz.size(), [&](std::size_t i) { return coordinate(held, frame, i); }, all);
        },
        positions);
}

} // namespace

PointCloud::PointCloud(Positions positions, std::vector<Attribute> attributes, const std::stop_token& stop,
                       std::shared_ptr<const AttributeSource> attributeSource)
    : m_positions(std::make_shared<const Positions>(std::move(positions))), m_frame(frameOf(*m_positions)),
      m_attributes(std::move(attributes)),
      m_size(std::visit([](const auto& held) { return held.xyz.size(); }, *m_positions)),
      m_source(std::move(attributeSource)) {
    for (Attribute& attribute : m_attributes) {
        if (!attribute.m_isInFile)
            attribute.load(std::move(attribute.m_state->values.data), m_size, stop);
        else if (!m_source)
            throw Fault("the attribute '" + attribute.name +
                        "' has neither values nor a file to load them from");
    }
    const auto limits = detail::positionLimits(*m_positions, stop);
    m_bounds = limits.bounds;
    m_notFinite = limits.notFinite;
    m_origin = detail::roundedOrigin(trimmedBounds(*m_positions, m_frame, m_bounds));
}

PointCloud::PointCloud(const PointCloud& read, const CloudEdits& edits, const std::stop_token& stop)
    : path(read.path), format(read.format), warnings(read.warnings), coordinateSystem(read.coordinateSystem),
      source(read.source), sensor(read.sensor), width(read.width), height(read.height),
      subsampledFrom(read.subsampledFrom), generated(read.generated), isChosenForView(read.isChosenForView),
      viewSpacing(read.viewSpacing), m_positions(edits.moved ? edits.moved : read.m_positions),
      m_removed(edits.removed), m_frame(frameOf(*m_positions)), m_attributes(read.m_attributes),
      m_size(read.m_size), m_bounds(read.m_bounds), m_origin(read.m_origin), m_notFinite(read.m_notFinite),
      m_source(read.m_source), m_loading(read.m_loading) {
    if (m_removed && m_removed->size != m_size)
        throw Fault("a set of " + std::to_string(m_removed->size) + " points was removed from a cloud of " +
                    std::to_string(m_size) + " points");
    if (sensor && !(edits.wholeMotion == RigidTransform{})) {
        const RigidTransform pose = edits.wholeMotion * poseOf(sensor->rotation, sensor->position);
        sensor = SensorPose{pose.translation, quaternionOf(pose)};
    }
    if (edits.moved)
        m_bounds = detail::positionLimits(*m_positions, stop).bounds;
    if (edits.moved &&
        !(edits.wholeMotion == RigidTransform{})) { // a moved part of the points does not move the sensor
        const Bounds most = trimmedBounds(*m_positions, m_frame, m_bounds);
        if (!(detail::roundedOrigin({most.min - m_origin, most.max - m_origin}) == Vec3d{}))
            m_origin = detail::roundedOrigin(most); // with the old origin, single precision would lose digits
    }
    for (const Attribute& edited : edits.attributes) {
        const auto known = std::ranges::find(m_attributes, edited.name, &Attribute::name);
        Attribute& attribute = known == m_attributes.end() ? m_attributes.emplace_back(edited) : *known;
        attribute = edited;
        if (!attribute.isLoaded())
            attribute.load(std::move(attribute.m_state->values.data), m_size, stop);
    }
}

void PointCloud::load(std::span<const Attribute* const> attributes, const std::stop_token& stop) const {
    if (std::ranges::all_of(attributes, [](const Attribute* one) { return one->isLoaded(); }))
        return;
    const std::lock_guard lock(m_loading->mutex);
    std::vector<std::size_t> missing;
    for (const Attribute* attribute : attributes)
        if (!attribute->isLoaded())
            missing.push_back(indexOf(*attribute));
    if (missing.empty())
        return; // another thread has already loaded the values
    std::vector<Buffer<std::byte>> values;
    std::vector<std::byte*> targets;
    for (const std::size_t i : missing) {
        values.push_back(Buffer<std::byte>::host(m_size * sizeOf(m_attributes[i].type)));
        targets.push_back(values.back().data());
    }
    std::vector<std::string> found = m_source->read(missing, targets, stop);
    for (std::size_t k = 0; k < missing.size(); ++k)
        m_attributes[missing[k]].load(std::move(values[k]), m_size, stop);
    const std::lock_guard lockWarnings(m_loading->warningsMutex);
    std::ranges::move(found, std::back_inserter(m_loading->warnings));
}

std::vector<std::string> PointCloud::loadWarnings() const {
    const std::lock_guard lock(m_loading->warningsMutex);
    return m_loading->warnings;
}

void PointCloud::loadAll(const std::stop_token& stop) const {
    std::vector<const Attribute*> all;
    for (const Attribute& attribute : m_attributes)
        all.push_back(&attribute);
    load(all, stop);
}

std::size_t PointCloud::indexOf(const Attribute& attribute) const {
    const auto found =
        std::ranges::find_if(m_attributes, [&](const Attribute& one) { return &one == &attribute; });
    if (found == m_attributes.end())
        throw Fault("the attribute belongs to another cloud: " + attribute.name);
    return std::size_t(found - m_attributes.begin());
}

std::optional<ValueRange> PointCloud::colourRange() const {
    return detail::colourRange(m_attributes, m_size);
}

Vec3d PointCloud::position(std::size_t i) const {
    if (m_removed && m_removed->has(i)) {
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        return {nan, nan, nan};
    }
    return std::visit([&](const auto& held) { return coordinate(held, m_frame, i); }, *m_positions);
}

const Attribute* PointCloud::attribute(std::string_view name) const {
    for (const Attribute& attribute : m_attributes)
        if (attribute.name == name)
            return &attribute;
    return nullptr;
}

std::uint64_t PointCloud::bytes() const {
    std::uint64_t sum = std::visit([](const auto& held) { return held.xyz.bytes(); }, *m_positions);
    for (const Attribute& attribute : m_attributes)
        sum += attribute.isLoaded() ? attribute.values().data.bytes() : 0;
    return sum + (source ? source->bytes() : 0);
}

Buffer<Vec3f> PointCloud::floatView(const std::stop_token& stop) const {
    auto view = Buffer<Vec3f>::host(m_size);
    parallelFor(m_size, kPointCloudGrain, stop, [&](std::size_t begin, std::size_t end) {
        fillFloatView(begin, 1, view.span().subspan(begin, end - begin));
    });
    return view;
}

void PointCloud::fillFloatView(std::size_t first, std::size_t stride, std::span<Vec3f> view) const {
    std::visit(
        [&](const auto& held) {
            for (std::size_t i = 0; i < view.size(); ++i)
                view[i] = (coordinate(held, m_frame, first + i * stride) - m_origin).template as<float>();
        },
        *m_positions);
    for (std::size_t i = 0; m_removed && i < view.size(); ++i)
        if (m_removed->has(first + i * stride))
            view[i] = {kCutAway, kCutAway, kCutAway};
}

namespace {

/// Returns red, green and blue; fewer if one is missing.
std::vector<const Attribute*> colours(const PointCloud& cloud) {
    std::vector<const Attribute*> all{cloud.attribute("red"), cloud.attribute("green"),
                                      cloud.attribute("blue")};
    std::erase(all, nullptr);
    return all;
}

} // namespace

bool hasRgb(const PointCloud& cloud, const std::stop_token& stop) {
    if (colours(cloud).size() < 3)
        return false;
    cloud.load(colours(cloud), stop);
    return mayHaveRgb(cloud);
}

bool mayHaveRgb(const PointCloud& cloud) {
    const auto all = colours(cloud);
    return all.size() == 3 &&
           std::ranges::any_of(all, [](const Attribute* one) { return !one->isLoaded() || one->max() > 0; });
}

} // namespace scanloupe
