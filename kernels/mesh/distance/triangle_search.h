#pragma once
// Declares the search for the nearest triangles on the CPU, for groups of up to sixteen neighbouring points.
#include "kernels/core/parallel.h"
#include "kernels/core/vec3.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/mesh/distance/point_group.h"
#include "kernels/mesh/distance/wide_boxes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// A tree's boxes, and copies of its triangles in search order. Searching the copies causes a fifth of the
/// cache misses of searching the mesh itself.
class TriangleSearch {
public:
    /// Copies the triangles. @throws Fault if the tree belongs to another mesh; Cancelled.
    TriangleSearch(const TriangleMesh& mesh, const Bvh& tree, const std::stop_token& stop);

    /// Finds the nearest triangle of each point of a group, with the same results as nearestItem().
    /// Thread-safe.
    void nearest(PointGroup& group) const;
    /// Compares a triangle that is probably near before all others, which speeds up the search. @param
    /// triangle index below T
    void beginWith(std::uint32_t triangle, PointGroup& group) const;

    Box3f box() const { return m_boxes.box(); }

    /// Returns the bytes of memory for a mesh of `triangles` triangles.
    static std::uint64_t bytesFor(std::uint64_t triangles) {
        return triangles * (sizeof(TriangleSlabs) + sizeof(std::uint32_t) + sizeof(Box3f) / kLeafItems) +
               WideBoxes::bytesFor(triangles);
    }

private:
    std::size_t m_size = 0;
    WideBoxes m_boxes;
    Buffer<TriangleSlabs> m_triangles; ///< in tree order
    Buffer<Box3f> m_leaves;
    Buffer<std::uint32_t> m_places; ///< [T] index of each triangle in tree order
};

/// Points in an order that keeps neighbouring points together, for points near the bounding box of the
/// searched items.
struct PointOrder {
    Box3f box; ///< bounding box; points outside it, or with NaN coordinates, are in no particular order
    Buffer<std::uint32_t> rows; ///< indices of the points in this order

    /// Returns the order of `points`. @param items bounding box of the searched items
    static PointOrder near(std::span<const Vec3f> points, const Box3f& items, const std::stop_token& stop);
    /// Returns the group of points that begins at index `begin` of `rows`. A point outside the box forms a
    /// separate group.
    std::span<const std::uint32_t> groupAt(std::size_t begin, std::size_t end,
                                           std::span<const Vec3f> points) const;
};

/// Calls `take(i, nearest)` for each present point, from many threads. `nearest` is the nearest triangle with
/// a squared distance <= `squaredLimit`; kNoItem if there is none. @throws Cancelled
template <class Take>
void forNearestTriangles(std::span<const Vec3f> points, const TriangleSearch& search, double squaredLimit,
                         const std::stop_token& stop, Take&& take) {
    // maximum number of points that are sorted together
    constexpr std::size_t maxPoints = std::size_t{1} << 24;
    constexpr std::size_t grain = 64 * PointGroup::kSize; // number of points per chunk: about a third of a
                                                          // millisecond
    for (std::size_t first = 0; first < points.size(); first += maxPoints) {
        const auto part = points.subspan(first, std::min(points.size() - first, maxPoints));
        const PointOrder order = PointOrder::near(part, search.box(), stop);
        parallelFor(order.rows.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
            PointGroup group;
            std::uint32_t known = kNoItem; // the triangle nearest to the previous group, which is a good
                                           // first candidate
            while (begin < end) {
                const auto rows = order.groupAt(begin, end, part);
                begin += rows.size();
                // the points of a group are scattered in memory, so prefetch the points of the next group
                const std::size_t ahead = std::min(begin + PointGroup::kSize, end);
                for (std::size_t next = begin; next < ahead; ++next)
                    __builtin_prefetch(&part[order.rows[next]]);
                if (!isPresent(part[rows[0]]))
                    continue;
                group.set(part, rows, squaredLimit);
                if (known != kNoItem)
                    search.beginWith(known, group);
                search.nearest(group);
                for (std::size_t i = 0; i < rows.size(); ++i)
                    take(first + rows[i], NearestItem{group.items[i], group.squaredDistances[i]});
                known = group.items[rows.size() - 1];
            }
        });
    }
}

} // namespace scanloupe::cpu
