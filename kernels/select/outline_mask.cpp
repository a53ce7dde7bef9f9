// Fills an outline row by row with the non-zero winding rule.
#include "kernels/select/outline_mask.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr std::size_t kRowsAtOnce = 16;
constexpr std::size_t kEdgesBetweenChecks = 1 << 14; // these take less than a millisecond

/// Returns the first pixel whose centre is >= x, clamped to [0, end]; 0 for NaN.
int pixelFrom(double x, int end) {
    const double first = std::ceil(x - 0.5);
    return first > 0 ? int(std::min(first, double(end))) : 0;
}

/// Fills a range of rows of a mask.
class RowFill {
public:
    RowFill(OutlineMask& mask, int width, std::size_t begin, std::size_t end)
        : m_mask(mask), m_width(width), m_begin(begin), m_end(end), m_stride(std::size_t(mask.width) + 1),
          m_changes((end - begin) * m_stride) {}

    void addEdge(const std::array<double, 2>& a, const std::array<double, 2>& b) {
        const double upper = std::min(a[1], b[1]) - m_mask.top, lower = std::max(a[1], b[1]) - m_mask.top;
        if (!(upper < double(m_end)) || !(lower > double(m_begin)))
            return;
        const auto first = std::size_t(std::max(upper - 1, double(m_begin))),
                   last = std::size_t(std::min(lower + 1, double(m_end)));
        for (std::size_t row = first; row < last; ++row) {
            const double y = double(m_mask.top) + double(row) + 0.5;
            if ((a[1] <= y) == (b[1] <= y))
                continue;
            const double x = a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]);
            const int column = std::clamp(pixelFrom(x, m_width) - m_mask.left, 0, m_mask.width);
            m_changes[(row - m_begin) * m_stride + std::size_t(column)] += a[1] < b[1] ? 1 : -1;
        }
    }
    void finish() {
        for (std::size_t row = m_begin; row < m_end; ++row) {
            std::uint32_t* words = m_mask.pixels.data() + row * std::size_t(m_mask.rowWords);
            const std::int32_t* changes = &m_changes[(row - m_begin) * m_stride];
            std::int32_t winding = 0;
            for (int x = 0; x < m_mask.width; ++x) {
                winding += changes[x];
                words[x / 32] |= std::uint32_t{winding != 0} << x % 32;
            }
        }
    }

private:
    OutlineMask& m_mask;
    int m_width; ///< width of the view, pixels
    std::size_t m_begin, m_end, m_stride;
    std::vector<std::int32_t> m_changes; ///< [rows, stride] change of the winding number at each pixel
};

} // namespace

OutlineMask outlineMask(std::span<const std::array<double, 2>> outline, int width, int height,
                        const std::stop_token& stop) {
    double least[2] = {HUGE_VAL, HUGE_VAL}, most[2] = {-HUGE_VAL, -HUGE_VAL};
    for (const auto& corner : outline)
        for (int k = 0; k < 2; ++k) {
            least[k] = std::min(least[k], corner[std::size_t(k)]);
            most[k] = std::max(most[k], corner[std::size_t(k)]);
        }
    OutlineMask mask;
    if (outline.size() < 3 || !(least[0] <= most[0]) || !(least[1] <= most[1]))
        return mask;
    mask.left = pixelFrom(least[0], width);
    mask.top = pixelFrom(least[1], height);
    mask.width = pixelFrom(most[0], width) - mask.left;
    mask.height = pixelFrom(most[1], height) - mask.top;
    if (mask.width <= 0 || mask.height <= 0)
        return {};
    mask.rowWords = (mask.width + 31) / 32;
    mask.pixels = Buffer<std::uint32_t>::host(std::size_t(mask.rowWords) * std::size_t(mask.height));
    std::ranges::fill(mask.pixels.span(), 0u);
    parallelFor(std::size_t(mask.height), kRowsAtOnce, stop, [&](std::size_t begin, std::size_t end) {
        RowFill rows(mask, width, begin, end);
        for (std::size_t i = 0; i < outline.size(); ++i) {
            if (i % kEdgesBetweenChecks == 0 && stop.stop_requested())
                throw Cancelled();
            rows.addEdge(outline[i], outline[i + 1 < outline.size() ? i + 1 : 0]);
        }
        rows.finish();
    });
    return mask;
}

} // namespace scanloupe
