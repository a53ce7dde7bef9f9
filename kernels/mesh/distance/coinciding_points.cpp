// Finds coinciding points. The number of items in one curve cell shows cheaply whether there may be any; a
// hash table then finds them.
#include "kernels/mesh/distance/coinciding_points.h"

#include "kernels/core/first_occurrences.h"
#include "kernels/mesh/distance/hilbert_grid.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace scanloupe {

namespace {

/// Returns the first `count` boxes of a level, on the host.
std::vector<Box3f> boxesOf(const Bvh& tree, int level, std::uint64_t count, const Execution& on) {
    std::vector<Box3f> boxes(count);
    const Box3f* first = tree.boxes.data() + tree.shape.levelBegins[level];
    detail::copyBytes(boxes.data(), MemorySpace::host, first, tree.boxes.space(), count * sizeof(Box3f),
                      on.device.value_or(StreamView(nullptr)));
    return boxes;
}

} // namespace

bool isCrowded(const Bvh& tree, const Execution& on) {
    constexpr int level = 2; // level whose boxes contain 64 items
    const BvhView& shape = tree.shape;
    if (shape.levels <= level)
        return false;
    const auto longest = [](const Box3f& box) {
        const Vec3f extent = box.high - box.low;
        return std::max({extent.x, extent.y, extent.z});
    };
    const float cell =
        longest(boxesOf(tree, shape.levels - 1, 1, on).front()) / float((1 << hilbertBits(shape.items)) - 1);
    // excluding the last box, which may contain fewer items
    return std::ranges::any_of(boxesOf(tree, level, shape.levelSizes[level] - 1, on),
                               [&](const Box3f& box) { return longest(box) <= cell; });
}

std::uint64_t leaveOutCoinciding(std::span<Vec3f> points, std::size_t kept, const std::stop_token& stop) {
    constexpr std::size_t between = std::size_t{1} << 16; // number of points between two checks of `stop`:
                                                          // about a millisecond
    constexpr float nan = std::numeric_limits<float>::quiet_NaN();
    const auto first = firstOccurrences(
        points.size(), [&](std::size_t i) { return positionKey(points[i]); }, stop);
    std::vector<std::uint32_t> seen(points.size()); // for the first of coinciding points: number of points
                                                    // that coincide with it so far
    std::uint64_t left = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (i % between == 0 && stop.stop_requested())
            throw Cancelled();
        if (!isFinite(points[i]) || seen[first[i]]++ < kept)
            continue;
        points[i] = {nan, nan, nan};
        ++left;
    }
    return left;
}

} // namespace scanloupe
