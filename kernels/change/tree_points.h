#pragma once
// Declares a scan with a tree over its points, and searches in this tree, for both backends.
#include "kernels/change/local_model.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>

namespace scanloupe {

/// The points of a scan and the tree over them, in the memory of the backend.
struct TreePoints {
    BvhView tree;
    const Vec3f* points;
};

/// Calls `take(p)` for each point in the tree's boxes for which `touches(box)` is true, in tree order.
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

/// The points nearest to a place, by ascending distance; equidistant points by ascending index.
struct Neighbours {
    NearestItem items[kMaxNeighbours];
    int count = 0;

    /// Returns the squared distance beyond which points cannot be among the `wanted` nearest ones.
    HD double squaredLimit(int wanted) const {
        return count < wanted ? HUGE_VAL : items[wanted - 1].squaredDistance;
    }
    /// Inserts an item if it is among the `wanted` nearest ones found so far.
    HD void add(NearestItem one, int wanted) {
        const auto isAfter = [&](const NearestItem& known) {
            return known.squaredDistance > one.squaredDistance ||
                   (known.squaredDistance == one.squaredDistance && known.item > one.item);
        };
        if (count == wanted && !isAfter(items[wanted - 1]))
            return;
        int slot = count < wanted ? count++ : wanted - 1;
        for (; slot > 0 && isAfter(items[slot - 1]); --slot)
            items[slot] = items[slot - 1];
        items[slot] = one;
    }
};

/// Returns the `wanted` points nearest to a place, or all points if the scan has fewer.
/// @param wanted 1 to kMaxNeighbours
HD inline Neighbours nearestPoints(const TreePoints& scan, Vec3f place, int wanted) {
    Neighbours found;
    const Vec3d at = place.as<double>();
    forItemsNear(
        scan.tree, place, [&] { return found.squaredLimit(wanted); },
        [&](std::uint32_t item) {
            found.add({item, squaredNorm(scan.points[item].as<double>() - at)}, wanted);
        });
    return found;
}

} // namespace scanloupe
