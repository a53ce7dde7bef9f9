// Generates surveys.
#include "tests/support/generated_survey.h"

#include "engine/cloud/attribute.h"
#include "kernels/core/parallel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <fmt/format.h>

namespace scanloupe::test {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr double kHighest = 40; // metres: above all roofs

/// The attribute values of some points, as in SurveyPiece.
struct PieceValues {
    explicit PieceValues(std::span<const Vec3d> points) {
        for (std::vector<std::uint16_t>& colour : colours)
            colour.resize(points.size());
        intensities.resize(points.size());
        classes.resize(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            const Vec3d p = points[i];
            const std::uint64_t dice =
                mixBits(std::bit_cast<std::uint64_t>(p.x) ^ std::bit_cast<std::uint64_t>(p.y));
            colours[0][i] = std::uint16_t(32'768 + 30'000 * std::sin(p.x));
            colours[1][i] = std::uint16_t(32'768 + 30'000 * std::sin(p.y));
            colours[2][i] = std::uint16_t(dice);
            intensities[i] = float(std::sin(p.x + p.y)) * 0.5f + float(dice >> 40) * 0x1p-26f;
            classes[i] = std::uint8_t(dice % 6);
        }
    }
    std::vector<const std::byte*> columns() const {
        const auto bytes = [](const auto& values) {
            return reinterpret_cast<const std::byte*>(values.data());
        };
        return {bytes(colours[0]), bytes(colours[1]), bytes(colours[2]), bytes(intensities), bytes(classes)};
    }

    std::array<std::vector<std::uint16_t>, 3> colours;
    std::vector<float> intensities;
    std::vector<std::uint8_t> classes;
};

} // namespace

GeneratedSurvey::GeneratedSurvey(const SurveyArea& area, bool hasValues) : m_area(area) {
    if (hasValues)
        m_attributes = {{{"red", ScalarType::uint16, {0, 65'535}},
                         {"green", ScalarType::uint16, {0, 65'535}},
                         {"blue", ScalarType::uint16, {0, 65'535}},
                         {"intensity", ScalarType::float32, {-1, 1}},
                         {"classification", ScalarType::uint8, {0, 255}, true}},
                        ValueRange{0, 65'535}};
    for (int y = 0; y < area.blocksY; ++y)
        for (int x = 0; x < area.blocksX; ++x) {
            SurveyPart part;
            part.name = fmt::format("block {} {}", x, y);
            part.points = area.pointsPerBlock;
            part.bounds.min = area.corner + Vec3d{x * area.edge, y * area.edge, -kHighest};
            part.bounds.max = area.corner + Vec3d{(x + 1) * area.edge, (y + 1) * area.edge, kHighest};
            m_parts.push_back(part);
        }
}

std::vector<std::string> GeneratedSurvey::read(std::size_t part, const Use& use,
                                               const std::stop_token& stop) const {
    std::vector<Vec3d> piece(std::min<std::uint64_t>(m_area.pointsPerBlock, kPiece));
    for (std::uint64_t first = 0; first < m_area.pointsPerBlock; first += kPiece) {
        const auto count = std::size_t(std::min<std::uint64_t>(kPiece, m_area.pointsPerBlock - first));
        parallelFor(count, 1 << 13, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                piece[i] = surveyPoint(m_area, part, first + i);
        });
        const auto points = std::span<const Vec3d>(piece).first(count);
        if (m_attributes.list.empty())
            use({points});
        else
            use({points, PieceValues(points).columns()});
    }
    return {};
}

} // namespace scanloupe::test
