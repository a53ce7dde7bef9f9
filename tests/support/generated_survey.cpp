// Generates surveys.
#include "tests/support/generated_survey.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe::test {

namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20;
constexpr double kHighest = 40; // metres: above all roofs

} // namespace

GeneratedSurvey::GeneratedSurvey(const SurveyArea& area) : m_area(area) {
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
        use(std::span<const Vec3d>(piece).first(count));
    }
    return {};
}

} // namespace scanloupe::test
