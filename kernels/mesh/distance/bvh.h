#pragma once
// Declares a bounding volume hierarchy over triangles or points, and the search for the nearest item.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/hd.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/triangle_distance.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

inline constexpr std::uint32_t kLeafItems = 4; ///< number of items per leaf
inline constexpr std::uint32_t kBvhWidth = 4;  ///< number of children per box
inline constexpr int kMaxBvhLevels = 16;       ///< enough levels for 2^32 items

/// An implicit tree, without pointers. Items are sorted along the Hilbert curve. Each run of kLeafItems items
/// is a leaf, each run of kBvhWidth leaves has a common box on the next level, and so on up to a single box.
struct BvhView {
    const Box3f* boxes = nullptr;             ///< boxes of all levels, leaves first
    const std::uint32_t* order = nullptr;     ///< [N] item indices in tree order
    std::uint64_t items = 0;                  ///< number N of items
    int levels = 0;                           ///< 0 if there are no items
    std::uint64_t levelBegins[kMaxBvhLevels]; ///< begin of each level in `boxes`
    std::uint64_t levelSizes[kMaxBvhLevels];

    static HD constexpr std::uint64_t leafBegin(std::uint64_t leaf) { return leaf * kLeafItems; }
};

/// An item and its squared distance from a query point.
struct NearestItem {
    std::uint32_t item = 0;
    double squaredDistance = 0; ///< square metres; infinite if there is no item
};

inline constexpr std::uint32_t kNoItem = 0xffffffffu;

/// Calls `take(item)` for the items of a tree that may be within a squared distance of `p`, visiting the
/// nearest boxes first. @param squaredLimit returns the squared distance, double; it may shrink as items are
/// taken. The order of visits is fixed, so that both backends get the same bits. After Bentley,
/// "Multidimensional divide-and-conquer", 1980, with the bounding boxes of Lauterbach et al., "Fast BVH
/// construction on GPUs", 2009.
template <class Limit, class Take>
HD void forItemsNear(const BvhView& tree, Vec3f p, Limit&& squaredLimit, Take&& take) {
    struct Entry {
        std::uint32_t box;
        std::int32_t level;
        float distance;
    };
    if (tree.levels == 0)
        return;
    Entry stack[kMaxBvhLevels * kBvhWidth];
    int depth = 0;
    stack[depth++] = {0, tree.levels - 1, 0.0f};
    while (depth > 0) {
        const Entry top = stack[--depth];
        if (static_cast<double>(top.distance) > squaredLimit())
            continue;
        if (top.level == 0) {
            const std::uint64_t begin = BvhView::leafBegin(top.box);
            const std::uint64_t end = begin + kLeafItems < tree.items ? begin + kLeafItems : tree.items;
            for (std::uint64_t place = begin; place < end; ++place)
                take(tree.order[place]);
            continue;
        }
        // push the children so that the nearest one is on top of the stack
        const int below = top.level - 1;
        const std::uint64_t first = std::uint64_t{top.box} * kBvhWidth, size = tree.levelSizes[below];
        const int bottom = depth;
        for (std::uint64_t box = first; box < first + kBvhWidth && box < size; ++box) {
            const float d = squaredDistanceLowerBound(tree.boxes[tree.levelBegins[below] + box], p);
            if (static_cast<double>(d) > squaredLimit())
                continue;
            int place = depth++;
            for (; place > bottom && stack[place - 1].distance < d; --place)
                stack[place] = stack[place - 1];
            stack[place] = {static_cast<std::uint32_t>(box), below, d};
        }
    }
}

/// Returns the item nearest to `p`; among equally near items, the one with the lowest index.
/// `squaredDistance(item, best)` may return any value above `best` for an item farther away than `best`.
/// @param best a known item; or any index with the maximum squared distance of the search. It is returned if
/// no item is nearer.
template <class Distance>
HD NearestItem nearestItem(const BvhView& tree, Vec3f p, Distance&& squaredDistance,
                           NearestItem best = {0, HUGE_VAL}) {
    forItemsNear(
        tree, p, [&] { return best.squaredDistance; },
        [&](std::uint32_t item) {
            const double d = squaredDistance(item, best.squaredDistance);
            if (d < best.squaredDistance || (d == best.squaredDistance && item < best.item))
                best = {item, d};
        });
    return best;
}

/// Returns a view with the sizes and begins of the levels; its pointers are null. @throws KernelError for
/// more than 2^32 - 2 items.
BvhView bvhShape(std::uint64_t items);

/// Owns a bounding volume hierarchy.
struct Bvh {
    Buffer<Box3f> boxes;
    Buffer<std::uint32_t> order;
    BvhView shape; ///< sizes and begins of the levels; its pointers are null

    BvhView view() const {
        BvhView tree = shape;
        tree.boxes = boxes.data();
        tree.order = order.data();
        return tree;
    }
    std::uint64_t bytes() const { return boxes.bytes() + order.bytes(); }
    /// Returns a copy in host memory.
    Bvh download(StreamView stream) const {
        return {boxes.copyTo(MemorySpace::host, stream), order.copyTo(MemorySpace::host, stream), shape};
    }
    /// Returns the bytes of memory for a tree over `items` items, including temporary memory for its
    /// construction.
    static std::uint64_t bytesFor(std::uint64_t items) {
        return items * (sizeof(std::uint32_t) + 4 * sizeof(std::uint64_t)) +
               items * sizeof(Box3f) * 4 / 3 / kLeafItems;
    }
};

namespace cpu {
/// Builds a tree over the triangles of a mesh; items are triangle indices. @throws KernelError for 2^32 - 1
/// triangles or more, or exhausted memory; Cancelled.
Bvh buildTriangleBvh(const TriangleMesh& mesh, const std::stop_token& stop);
/// Builds a tree over the finite points of [N, 3]; items are point indices. @throws as buildTriangleBvh.
Bvh buildPointBvh(std::span<const Vec3f> points, const std::stop_token& stop);
/// Builds a tree over finite boxes, [N]; items are box indices. @throws as buildTriangleBvh.
Bvh buildBoxBvh(std::span<const Box3f> boxes, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::buildTriangleBvh, with an identical result; mesh and tree are on the device. Asynchronous.
Bvh buildTriangleBvh(const TriangleMesh& mesh, const std::stop_token& stop, StreamView stream);
/// Same as cpu::buildPointBvh; points and tree are on the device. @note Synchronizes to read the number of
/// finite points.
Bvh buildPointBvh(const Buffer<Vec3f>& points, const std::stop_token& stop, StreamView stream);
/// Returns the indices of the finite points, ordered along the Hilbert curve through the cells of a coarse
/// grid, which keeps neighbouring points together. All data is on the device. @note Synchronizes to read the
/// number of finite points.
Buffer<std::uint32_t> orderAlongCurve(const Buffer<Vec3f>& points, const std::stop_token& stop,
                                      StreamView stream);
} // namespace cuda

/// A search tree over triangles, see cpu::buildTriangleBvh.
inline Bvh buildTriangleBvh(const TriangleMesh& mesh, const Execution& on) {
    return on.onDevice() ? cuda::buildTriangleBvh(mesh, on.stop, *on.device)
                         : cpu::buildTriangleBvh(mesh, on.stop);
}

/// A search tree over points, see cpu::buildPointBvh.
inline Bvh buildPointBvh(const Buffer<Vec3f>& points, const Execution& on) {
    return on.onDevice() ? cuda::buildPointBvh(points, on.stop, *on.device)
                         : cpu::buildPointBvh(points.span(), on.stop);
}

} // namespace scanloupe
