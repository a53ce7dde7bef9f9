#pragma once
// Declares a scan with the tree over its points, and how its points are found, for both backends.
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>

namespace scanloupe {

/// A scan, and the tree over its points, which lie where it is computed.
struct TreePoints {
    BvhView tree;
    const Vec3f* points;
};

/// Calls `take(p)` for the points of a tree that lie in boxes which `touches(box)` holds for, in the order of
/// the tree.
template <class Touches, class Take>
HD void forPointsIn(const TreePoints& scan, Touches&& touches, Take&& take) {
    struct Entry {
        std::uint32_t box;
        std::int32_t level;
    };
    const BvhView& tree = scan.tree;
    if (tree.levels == 0)
        return;
    Entry stack[kMaxBvhLevels * kBvhWidth];
    int depth = 0;
    stack[depth++] = {0, tree.levels - 1};
    while (depth > 0) {
        const Entry top = stack[--depth];
        if (!touches(tree.boxes[tree.levelBegins[top.level] + top.box]))
            continue;
        if (top.level == 0) {
            const std::uint64_t begin = BvhView::leafBegin(top.box);
            const std::uint64_t end = begin + kLeafItems < tree.items ? begin + kLeafItems : tree.items;
            for (std::uint64_t place = begin; place < end; ++place)
                take(scan.points[tree.order[place]]);
            continue;
        }
        const int below = top.level - 1;
        const std::uint64_t first = std::uint64_t{top.box} * kBvhWidth, size = tree.levelSizes[below];
        const std::uint64_t last = first + kBvhWidth < size ? first + kBvhWidth : size;
        for (std::uint64_t box = last; box-- > first;)
            stack[depth++] = {static_cast<std::uint32_t>(box), below};
    }
}

/// The most points that nearestPoints() finds.
inline constexpr int kMostNeighbours = 32;

/// Points near a place, the nearest first; of several that are equally near, the lowest first.
struct Neighbours {
    NearestItem items[kMostNeighbours];
    int count = 0;
};

/// The `wanted` points that are nearest to a place; fewer if there are not so many.
/// @param wanted 1 to kMostNeighbours
HD inline Neighbours nearestPoints(const TreePoints& scan, Vec3f place, int wanted) {
    Neighbours found;
    const Vec3d at = place.as<double>();
    forItemsNear(
        scan.tree, place,
        [&] { return found.count < wanted ? HUGE_VAL : found.items[wanted - 1].squaredDistance; },
        [&](std::uint32_t item) {
            const double d = squaredNorm(scan.points[item].as<double>() - at);
            const auto isAfter = [&](const NearestItem& known) {
                return known.squaredDistance > d || (known.squaredDistance == d && known.item > item);
            };
            if (found.count == wanted && !isAfter(found.items[wanted - 1]))
                return;
            int slot = found.count < wanted ? found.count++ : wanted - 1;
            for (; slot > 0 && isAfter(found.items[slot - 1]); --slot)
                found.items[slot] = found.items[slot - 1];
            found.items[slot] = {item, d};
        });
    return found;
}

} // namespace scanloupe
