// Searches the nearest points of scans, comparing four points of a leaf or four sibling boxes at once.
#include "kernels/change/point_search.h"

#include "kernels/core/parallel.h"

#include <algorithm>
#include <bit>
#include <cfloat>
#include <cmath>
#include <limits>

namespace scanloupe::cpu {

PointSearch::PointSearch(const TreePoints& scan, const std::stop_token& stop) : m_boxes(scan.tree, stop) {
    constexpr std::size_t grain = 4096;
    constexpr float nowhere = std::numeric_limits<float>::quiet_NaN();
    const std::uint64_t size = scan.tree.items;
    m_leaves = Buffer<Leaf>::host(chunkCount(size, kLeafItems));
    parallelFor(m_leaves.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t leaf = begin; leaf < end; ++leaf)
            for (std::size_t k = 0; k < kLeafItems; ++k) {
                const std::uint64_t place = BvhView::leafBegin(leaf) + k;
                const std::uint32_t item = place < size ? scan.tree.order[place] : kNoItem;
                const Vec3f p = place < size ? scan.points[item] : Vec3f{nowhere, nowhere, nowhere};
                m_leaves[leaf].items[k] = item;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    m_leaves[leaf].places[axis][int(k)] = p[int(axis)];
            }
    });
}

template <class Limit, class Take>
void PointSearch::forPointsNear(Vec3f p, Limit&& squaredLimit, Take&& take) const {
    // factor for the relative error of single precision, as in squaredDistanceLowerBound()
    constexpr float rounding = 1.0f - 1e-6f;
    struct Entry {
        std::uint32_t box;
        std::int32_t level;
        float bound;
    };
    if (m_boxes.levels() == 0)
        return;
    const auto limitOf = [&] { // rounds the limit up and clamps it to the largest float
        const double limit = squaredLimit() * (1 + 1e-7);
        return limit < HUGE_VAL && limit > double(FLT_MAX) ? FLT_MAX : float(limit);
    };
    std::array<Lanes, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis)
        at[axis] += p[int(axis)];
    Entry stack[kMaxBvhLevels * kBvhWidth];
    int depth = 0;
    stack[depth++] = {0, m_boxes.levels() - 1, 0.0f};
    float limit = limitOf();
    while (depth > 0) {
        const Entry top = stack[--depth];
        if (top.bound > limit)
            continue;
        if (top.level == 0) {
            const Leaf& leaf = m_leaves[top.box];
            Lanes squares{};
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const Lanes off = leaf.places[axis] - at[axis];
                squares += off * off;
            }
            for (unsigned near = lanesUpTo(squares * rounding, limit); near != 0; near &= near - 1) {
                const int k = std::countr_zero(near);
                const Vec3f point{leaf.places[0][k], leaf.places[1][k], leaf.places[2][k]};
                take(leaf.items[std::size_t(k)], squaredNorm(point.as<double>() - p.as<double>()));
            }
            limit = limitOf();
            continue;
        }
        // push the children so that the nearest one is on top of the stack
        const int below = top.level - 1;
        const SiblingBoxes& boxes = m_boxes.childrenOf(top.box, below);
        Lanes bounds{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Lanes under = boxes.low[axis] - at[axis], above = at[axis] - boxes.high[axis];
            const Lanes gap = under > above ? under : above, outside = gap > 0.0f ? gap : Lanes{};
            bounds += outside * outside;
        }
        bounds *= rounding;
        const unsigned there = (1u << m_boxes.childCount(top.box, below)) - 1;
        const int bottom = depth;
        for (unsigned near = lanesUpTo(bounds, limit) & there; near != 0; near &= near - 1) {
            const int k = std::countr_zero(near);
            int place = depth++;
            for (; place > bottom && stack[place - 1].bound < bounds[k]; --place)
                stack[place] = stack[place - 1];
            stack[place] = {top.box * kBvhWidth + std::uint32_t(k), below, bounds[k]};
        }
    }
}

NearestItem PointSearch::nearest(Vec3f p, NearestItem best) const {
    forPointsNear(
        p, [&] { return best.squaredDistance; },
        [&](std::uint32_t item, double d) {
            if (d < best.squaredDistance || (d == best.squaredDistance && item < best.item))
                best = {item, d};
        });
    return best;
}

Neighbours PointSearch::neighbours(Vec3f place, int wanted, double squaredReach) const {
    Neighbours found;
    forPointsNear(
        place, [&] { return std::min(found.squaredLimit(wanted), squaredReach); },
        [&](std::uint32_t item, double d) {
            found.add({item, d}, wanted);
        });
    return found;
}

} // namespace scanloupe::cpu
