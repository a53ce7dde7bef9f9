// Sorts a scan's points along a Morton curve.
#include "kernels/register/ndt/ndt_order.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace scanloupe {

namespace {

constexpr int kSteps = 1024;

/// Spreads ten bits, with two zero bits after each.
std::uint64_t spread(std::uint64_t bits) {
    bits = (bits | bits << 16) & 0x030000ffU;
    bits = (bits | bits << 8) & 0x0300f00fU;
    bits = (bits | bits << 4) & 0x030c30c3U;
    return (bits | bits << 2) & 0x09249249U;
}

} // namespace

std::vector<std::uint32_t> ndtOrder(std::span<const Vec3f> points) {
    constexpr float kFar = std::numeric_limits<float>::max();
    Vec3f low{kFar, kFar, kFar}, high{-kFar, -kFar, -kFar};
    for (const Vec3f& p : points)
        if (isFinite(p))
            for (int k = 0; k < 3; ++k) {
                low[k] = std::min(low[k], p[k]);
                high[k] = std::max(high[k], p[k]);
            }
    const auto step = [&](const Vec3f& p, int k) {
        const double extent = double(high[k]) - double(low[k]);
        const double share = extent > 0 ? (double(p[k]) - double(low[k])) / extent : 0;
        return spread(std::min(static_cast<std::uint64_t>(share * kSteps), std::uint64_t{kSteps - 1}));
    };
    std::vector<std::uint64_t> keys(
        points.size()); // sort key: position on the curve, then the point's index in the low 32 bits
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Vec3f& p = points[i];
        const std::uint64_t place =
            isFinite(p) ? step(p, 0) | step(p, 1) << 1 | step(p, 2) << 2 : std::uint64_t{1} << 30;
        keys[i] = place << 32 | i;
    }
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint32_t> order(points.size());
    std::transform(keys.begin(), keys.end(), order.begin(),
                   [](std::uint64_t key) { return static_cast<std::uint32_t>(key); });
    return order;
}

std::vector<Vec3f> inOrder(std::span<const Vec3f> points, std::span<const std::uint32_t> order) {
    std::vector<Vec3f> ordered(order.size());
    std::transform(order.begin(), order.end(), ordered.begin(),
                   [points](std::uint32_t i) { return points[i]; });
    return ordered;
}

} // namespace scanloupe
