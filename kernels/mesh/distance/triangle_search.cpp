// Searches the nearest triangle, four boxes and four triangles at a time.
#include "kernels/mesh/distance/triangle_search.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"

#include <bit>
#ifdef __SSE2__
#include <immintrin.h>
#endif

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kGrain = 4096;
constexpr int kLanes = 4;
static_assert(kLeafItems == kLanes && kBvhWidth == kLanes);

/// The least float that is not below a squared distance.
float limitOf(const NearestItem& best) {
    constexpr double rounding = 1 + 1e-7;
    return float(best.squaredDistance * rounding);
}
/// Bits of the lanes that are not above a limit.
unsigned lanesUpTo(Lanes values, float limit) {
#ifdef __SSE2__
    return unsigned(_mm_movemask_ps(_mm_cmple_ps(values, _mm_set1_ps(limit))));
#else
    unsigned mask = 0;
    for (int lane = 0; lane < kLanes; ++lane)
        mask |= unsigned(values[lane] <= limit) << lane;
    return mask;
#endif
}

/// Lower bounds of the squared distances to anything inside of four boxes.
Lanes lowerBounds(const std::array<Lanes, 3>& low, const std::array<Lanes, 3>& high, Vec3f p) {
    constexpr float rounding = 1.0f - 1e-6f; // of single precision, as squaredDistanceLowerBound()
    Lanes sum{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const float at = p[int(axis)];
        const Lanes below = low[axis] - at, above = at - high[axis];
        Lanes outside = below > above ? below : above;
        outside = outside > 0.0f ? outside : Lanes{};
        sum += outside * outside;
    }
    return sum * rounding;
}

} // namespace

TriangleSearch::TriangleSearch(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop)
    : m_size(mesh.triangleCount()), m_shape(tree.shape) {
    if (m_shape.items != m_size)
        throw Fault("distances to a mesh want the tree of that mesh");
    if (m_size == 0)
        return;
    m_leaves.resize(m_shape.levelSizes[0]);
    parallelFor(m_leaves.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t leaf = begin; leaf < end; ++leaf)
            for (int lane = 0; lane < kLanes; ++lane) {
                const std::uint64_t place = BvhView::leafBegin(leaf) + std::uint64_t(lane);
                const std::uint32_t t = place < m_size ? tree.order[place] : kNoItem;
                m_leaves[leaf].ids[std::size_t(lane)] = t;
                for (std::size_t corner = 0; corner < 3; ++corner)
                    for (int axis = 0; axis < 3; ++axis)
                        m_leaves[leaf].corners[corner][std::size_t(axis)][lane] =
                            t == kNoItem ? 0
                                         : mesh.positions[mesh.indices[3 * std::size_t{t} + corner]][axis];
            }
    });
    std::uint64_t groups = 0;
    for (int level = 0; level < m_shape.levels; ++level) {
        m_begins[std::size_t(level)] = groups;
        groups += chunkCount(m_shape.levelSizes[level], kLanes);
    }
    m_boxes.resize(groups);
    for (int level = 0; level < m_shape.levels; ++level) {
        const Box3f* boxes = tree.boxes.data() + m_shape.levelBegins[level];
        const std::uint64_t size = m_shape.levelSizes[level];
        Boxes* to = m_boxes.data() + m_begins[std::size_t(level)];
        parallelFor(chunkCount(size, kLanes), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t group = begin; group < end; ++group)
                for (int lane = 0; lane < kLanes; ++lane) {
                    const std::uint64_t at = group * kLanes + std::uint64_t(lane);
                    const Box3f box = at < size ? boxes[at] : emptyBox();
                    for (int axis = 0; axis < 3; ++axis) {
                        to[group].low[std::size_t(axis)][lane] = box.low[axis];
                        to[group].high[std::size_t(axis)][lane] = box.high[axis];
                    }
                }
        });
    }
}

void TriangleSearch::lookAt(const Triangles& leaf, Vec3f p, NearestItem& best) const {
    const auto& [a, b, c] = leaf.corners;
    std::array<Lanes, 3> low, high;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Lanes lowAb = a[axis] < b[axis] ? a[axis] : b[axis],
                    highAb = a[axis] > b[axis] ? a[axis] : b[axis];
        low[axis] = lowAb < c[axis] ? lowAb : c[axis];
        high[axis] = highAb > c[axis] ? highAb : c[axis];
    }
    for (unsigned near = lanesUpTo(lowerBounds(low, high, p), limitOf(best)); near != 0; near &= near - 1) {
        const int lane = std::countr_zero(near);
        const std::uint32_t id = leaf.ids[std::size_t(lane)];
        if (id == kNoItem)
            continue;
        const auto corner = [&](const std::array<Lanes, 3>& of) {
            return Vec3f{of[0][lane], of[1][lane], of[2][lane]};
        };
        const double d = squaredDistanceToTriangle(p, corner(a), corner(b), corner(c));
        if (d < best.squaredDistance || (d == best.squaredDistance && id < best.item))
            best = {id, d};
    }
}

NearestItem TriangleSearch::nearest(Vec3f p, NearestItem best) const {
    struct Entry {
        std::uint32_t box;
        std::int32_t level;
        float distance;
    };
    if (m_shape.levels == 0)
        return best;
    Entry stack[kMaxBvhLevels * kLanes];
    int depth = 0;
    stack[depth++] = {0, m_shape.levels - 1, 0.0f};
    while (depth > 0) {
        const Entry top = stack[--depth];
        if (double(top.distance) > best.squaredDistance)
            continue;
        if (top.level == 0) {
            lookAt(m_leaves[top.box], p, best);
            continue;
        }
        // pushes the children, the nearest on top of the stack
        const int below = top.level - 1;
        const Boxes& children = m_boxes[m_begins[std::size_t(below)] + top.box];
        const Lanes bounds = lowerBounds(children.low, children.high, p);
        const std::uint64_t first = std::uint64_t{top.box} * kLanes;
        const int bottom = depth;
        for (unsigned near = lanesUpTo(bounds, limitOf(best)); near != 0; near &= near - 1) {
            const int lane = std::countr_zero(near);
            if (first + std::uint64_t(lane) >= m_shape.levelSizes[below])
                break; // with an infinite limit
            const float d = bounds[lane];
            int place = depth++;
            for (; place > bottom && stack[place - 1].distance < d; --place)
                stack[place] = stack[place - 1];
            stack[place] = {std::uint32_t(first + std::uint64_t(lane)), below, d};
            if (below == 0)
                __builtin_prefetch(&m_leaves[first + std::uint64_t(lane)]);
        }
    }
    return best;
}

} // namespace scanloupe::cpu
