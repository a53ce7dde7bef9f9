#include "engine/cloud/point_cloud.h"

#include "engine/cloud/cloud_limits.h"
#include "kernels/core/parallel.h"

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = std::size_t{1} << 16;

Vec3d coordinate(const FloatPositions& held, std::size_t i) {
    return held.xyz[i].as<double>();
}
Vec3d coordinate(const DoublePositions& held, std::size_t i) {
    return held.xyz[i];
}
Vec3d coordinate(const ScaledPositions& held, std::size_t i) {
    return held.xyz[i].as<double>() * held.scale + held.offset;
}

} // namespace

PointCloud::PointCloud(Positions positions, std::vector<Attribute> attributes, const std::stop_token& stop)
    : m_positions(std::move(positions)), m_attributes(std::move(attributes)),
      m_size(std::visit([](const auto& held) { return held.xyz.size(); }, m_positions)) {
    for (Attribute& attribute : m_attributes) {
        if (attribute.data.size() != m_size * sizeOf(attribute.type))
            throw EngineError("the attribute '" + attribute.name + "' has not one value for each of the " +
                                  std::to_string(m_size) + " points",
                              "Report this as a fault.");
        detail::findLimits(attribute, m_size, stop);
    }
    const auto limits = detail::positionLimits(m_positions, stop);
    m_bounds = limits.bounds;
    m_notFinite = limits.notFinite;
    m_origin = detail::tidyOrigin(m_bounds);
}

Vec3d PointCloud::position(std::size_t i) const {
    return std::visit([i](const auto& held) { return coordinate(held, i); }, m_positions);
}

const Attribute* PointCloud::attribute(std::string_view name) const {
    for (const Attribute& attribute : m_attributes)
        if (attribute.name == name)
            return &attribute;
    return nullptr;
}

std::uint64_t PointCloud::bytes() const {
    std::uint64_t sum = std::visit([](const auto& held) { return held.xyz.bytes(); }, m_positions);
    for (const Attribute& attribute : m_attributes)
        sum += attribute.data.bytes();
    return sum;
}

Buffer<Vec3f> PointCloud::floatView(const std::stop_token& stop) const {
    auto view = Buffer<Vec3f>::host(m_size);
    std::visit(
        [&](const auto& held) {
            parallelFor(m_size, kGrain, stop, [&](std::size_t begin, std::size_t end) {
                for (std::size_t i = begin; i < end; ++i)
                    view[i] = (coordinate(held, i) - m_origin).template as<float>();
            });
        },
        m_positions);
    return view;
}

} // namespace scanloupe
