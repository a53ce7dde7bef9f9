// Evaluates formulas over chunks of points on all cores.
#include "engine/stages/points/point_formula.h"

#include "engine/cloud/point_cloud.h"
#include "engine/results/point_attributes.h"
#include "engine/stages/points/device_columns.h"
#include "kernels/core/parallel.h"
#include "kernels/formula/operators.h"

#include <algorithm>

namespace scanloupe {

namespace {

constexpr std::size_t kChunk = 4096;
constexpr std::size_t kCoordinates = 4; // number of names that are not attributes: x, y, z, height

} // namespace

std::vector<std::string> formulaNames(const PointCloud& cloud) {
    std::vector<std::string> names{"x", "y", "z", "height"};
    for (const Attribute& attribute : cloud.attributes())
        names.push_back(expressionName(attribute.name));
    return names;
}

Formula::Formula(const std::string& text, Vec3d up, const PointCloud& cloud)
    : m_cloud(cloud), m_up(up), m_expression(text, formulaNames(cloud)) {}

std::optional<PointSet> Formula::selectOnDevice(const PointAttributes& attributes,
                                                std::span<const Vec3f> positions, const Execution& on,
                                                std::string& note) const {
    const auto text = m_expression.deviceText();
    if (!text) {
        note = "a function of the formula is computed on the host";
        return std::nullopt;
    }
    DeviceColumns columns(attributes, on);
    for (const std::size_t name : m_expression.used())
        if (name < kCoordinates)
            columns.addCoordinate(int(name));
        else
            columns.add(m_cloud.attributes()[name - kCoordinates]);
    try {
        return selectByFormula(*text, {positions, m_cloud.origin(), m_up}, columns.columns(), *on.device);
    } catch (const DeviceMemoryShort&) {
        throw;
    } catch (const KernelError& error) {
        note = error.what();
        return std::nullopt;
    }
}

void Formula::evaluate(std::size_t stride, std::size_t count, const std::stop_token& stop,
                       const std::function<void(std::size_t, std::span<const double>)>& take) const {
    std::vector<const Attribute*> attributes;
    for (const std::size_t name : m_expression.used())
        if (name >= kCoordinates)
            attributes.push_back(&m_cloud.attributes()[name - kCoordinates]);
    m_cloud.load(attributes, stop);
    const Vec3d origin = m_cloud.origin();
    parallelFor(count, kChunk, stop, [&](std::size_t begin, std::size_t end) {
        const std::size_t size = end - begin;
        std::vector<Vec3f> points(size);
        m_cloud.fillFloatView(begin * stride, stride, points);
        std::vector<std::vector<double>> columns;
        std::vector<const double*> starts;
        for (const std::size_t name : m_expression.used()) {
            std::vector<double>& column = columns.emplace_back(size);
            for (std::size_t i = 0; i < size; ++i) {
                const Vec3d p = origin + points[i].as<double>();
                column[i] = name < 3 ? p[int(name)]
                            : name < kCoordinates
                                ? dot(m_up, p)
                                : m_cloud.attributes()[name - kCoordinates].value((begin + i) * stride);
            }
        }
        for (const std::vector<double>& column : columns)
            starts.push_back(column.data());
        std::vector<double> values(size);
        m_expression.evaluate(starts, values);
        take(begin, values);
    });
}

} // namespace scanloupe
