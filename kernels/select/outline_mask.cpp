// Fills an outline row by row, by the rule of non-zero winding numbers.
#include "kernels/select/outline_mask.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

/// Where an edge crosses the middle of a row of pixels.
struct Crossing {
    double x;
    int direction; ///< 1 downwards, -1 upwards
};

std::vector<Crossing> crossingsOf(std::span<const std::array<double, 2>> outline, double y) {
    std::vector<Crossing> crossings;
    for (std::size_t i = 0; i < outline.size(); ++i) {
        const auto &a = outline[i], &b = outline[(i + 1) % outline.size()];
        if ((a[1] <= y) == (b[1] <= y))
            continue;
        crossings.push_back({a[0] + (y - a[1]) / (b[1] - a[1]) * (b[0] - a[0]), a[1] < b[1] ? 1 : -1});
    }
    std::ranges::sort(crossings, {}, &Crossing::x);
    return crossings;
}

/// The first pixel whose centre is not left of x, within [0, end].
int pixelFrom(double x, int end) {
    return int(std::clamp(std::ceil(x - 0.5), 0.0, double(end)));
}

} // namespace

OutlineMask outlineMask(std::span<const std::array<double, 2>> outline, int width, int height) {
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
    for (int row = 0; row < mask.height; ++row) {
        std::uint32_t* words = mask.pixels.data() + std::size_t(row) * std::size_t(mask.rowWords);
        int winding = 0;
        const std::vector<Crossing> crossings = crossingsOf(outline, mask.top + row + 0.5);
        for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
            winding += crossings[i].direction;
            if (winding == 0)
                continue;
            const int from = std::max(pixelFrom(crossings[i].x, width) - mask.left, 0),
                      to = std::min(pixelFrom(crossings[i + 1].x, width) - mask.left, mask.width);
            for (int x = from; x < to; ++x)
                words[x / 32] |= 1u << x % 32;
        }
    }
    return mask;
}

} // namespace scanloupe
