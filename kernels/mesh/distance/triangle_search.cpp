// Searches the nearest triangles for groups of points.
#include "kernels/mesh/distance/triangle_search.h"

#include "kernels/core/error.h"
#include "kernels/mesh/distance/hilbert_order.h"

#include <algorithm>
#include <bit>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kTriangleSearchGrain = 4096;

} // namespace

TriangleSearch::TriangleSearch(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop)
    : m_size(mesh.triangleCount()), m_boxes(tree.view(), stop) {
    if (tree.shape.items != m_size)
        throw Fault("distances to a mesh want the tree of that mesh");
    if (m_size == 0)
        return;
    m_triangles = Buffer<TriangleSlabs>::host(m_size);
    m_places = Buffer<std::uint32_t>::host(m_size);
    parallelFor(m_size, kTriangleSearchGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t place = begin; place < end; ++place) {
            const std::uint32_t t = tree.order[place];
            const auto corner = [&](std::size_t i) {
                return mesh.positions[mesh.indices[3 * std::size_t{t} + i]];
            };
            m_triangles[place] = slabsOf(corner(0), corner(1), corner(2), t);
            m_places[t] = std::uint32_t(place);
        }
    });
    m_leaves = hostCopy(tree.boxes.span().first(tree.shape.levelSizes[0]));
}

void TriangleSearch::beginWith(std::uint32_t triangle, PointGroup& group) const {
    const std::uint32_t place = m_places[triangle];
    addCandidates(m_triangles.span().subspan(place, 1), m_leaves[place / kLeafItems], group);
}

void TriangleSearch::nearest(PointGroup& group) const {
    // factor for the relative error of single precision, as in squaredDistanceLowerBound()
    constexpr float rounding = 1.0f - 1e-6f;
    struct Entry {
        std::uint32_t box;
        std::int32_t level;
        float bound, toMiddle;
    };
    if (m_boxes.levels() == 0)
        return;
    Entry stack[kMaxBvhLevels * kBvhWidth];
    int depth = 0;
    stack[depth++] = {0, m_boxes.levels() - 1, 0.0f, 0.0f};
    float limit = group.largestLimit();
    std::array<Lanes, 3> low{}, high{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        low[axis] += group.box.low[int(axis)];
        high[axis] += group.box.high[int(axis)];
    }
    while (depth > 0) {
        const Entry top = stack[--depth];
        if (top.bound > limit)
            continue;
        if (top.level == 0) {
            const std::uint64_t begin = BvhView::leafBegin(top.box);
            const std::uint64_t end = std::min<std::uint64_t>(begin + kLeafItems, m_size);
            if (addCandidates(m_triangles.span().subspan(begin, end - begin), m_leaves[top.box], group))
                limit = group.largestLimit();
            continue;
        }
        // push the children so that the nearest one is on top of the stack
        const int below = top.level - 1;
        const SiblingBoxes& boxes = m_boxes.childrenOf(top.box, below);
        Lanes bounds{}, toMiddle{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const Lanes under = boxes.low[axis] - high[axis], above = low[axis] - boxes.high[axis];
            const Lanes gap = under > above ? under : above, outside = gap > 0.0f ? gap : Lanes{};
            const Lanes off = boxes.low[axis] + boxes.high[axis] - (low[axis] + high[axis]);
            bounds += outside * outside;
            toMiddle += off * off;
        }
        bounds *= rounding;
        const std::uint64_t first = std::uint64_t{top.box} * kBvhWidth;
        const unsigned there = (1u << m_boxes.childCount(top.box, below)) - 1;
        const int bottom = depth;
        for (unsigned near = lanesUpTo(bounds, limit) & there; near != 0; near &= near - 1) {
            const int k = std::countr_zero(near);
            int place = depth++;
            for (; place > bottom && stack[place - 1].toMiddle < toMiddle[k]; --place)
                stack[place] = stack[place - 1];
            stack[place] = {std::uint32_t(first + std::uint64_t(k)), below, bounds[k], toMiddle[k]};
            if (below == 0)
                __builtin_prefetch(&m_triangles[BvhView::leafBegin(first + std::uint64_t(k))]);
        }
    }
    measureCandidates(group);
}

PointOrder PointOrder::near(std::span<const Vec3f> points, const Box3f& items, const std::stop_token& stop) {
    PointOrder order;
    order.box = parallelReduce(
        points.size(), kTriangleSearchGrain, stop, emptyBox(),
        [&](std::size_t begin, std::size_t end) {
            Box3f box = emptyBox();
            for (std::size_t i = begin; i < end; ++i)
                if (isPresent(points[i]))
                    box = joined(box, {points[i], points[i]});
            return box;
        },
        joined);
    const float around = 2 * norm(items.high - items.low);
    const Vec3f margin{around, around, around};
    order.box = {max(order.box.low, items.low - margin), min(order.box.high, items.high + margin)};
    const int bits = hilbertBits(points.size() / PointGroup::kSize);
    const auto itemAt = [](std::size_t i) { return i; };
    const auto placeOf = [&](std::size_t i) { return points[i]; };
    order.rows = 3 * bits <= 32
                     ? hilbertOrder<KeyIndex32>(points.size(), order.box, bits, itemAt, placeOf, stop)
                     : hilbertOrder<KeyIndex>(points.size(), order.box, bits, itemAt, placeOf, stop);
    return order;
}

std::span<const std::uint32_t> PointOrder::groupAt(std::size_t begin, std::size_t end,
                                                   std::span<const Vec3f> points) const {
    const auto isWithin = [&](std::uint32_t row) { // false if a coordinate is NaN
        const Vec3f p = points[row];
        return p.x >= box.low.x && p.y >= box.low.y && p.z >= box.low.z && p.x <= box.high.x &&
               p.y <= box.high.y && p.z <= box.high.z;
    };
    std::size_t last = begin;
    while (last < end && last - begin < PointGroup::kSize && isWithin(rows[last]))
        ++last;
    return rows.span().subspan(begin, std::max<std::size_t>(last - begin, 1));
}

} // namespace scanloupe::cpu
