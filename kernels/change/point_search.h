#pragma once
// Declares the search for the nearest points of a scan on the CPU.
#include "kernels/change/tree_points.h"
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/wide_boxes.h"

#include <array>
#include <cmath>
#include <cstdint>
#include <stop_token>

namespace scanloupe::cpu {

/// A tree's boxes, and copies of its points in search order.
class PointSearch {
public:
    /// @param scan on the host @param stop cancels the construction @throws KernelError when out of memory;
    /// Cancelled.
    PointSearch(const TreePoints& scan, const std::stop_token& stop);

    Box3f box() const { return m_boxes.box(); }

    /// Same as nearestPoint(), with the same results. Thread-safe. @param p finite, metres
    NearestItem nearest(Vec3f p, NearestItem best) const;
    /// Same as nearestPoints(), with the same results. Thread-safe. @param place finite, metres
    /// @param squaredReach square of a radius that is known to contain at least `wanted` points
    Neighbours neighbours(Vec3f place, int wanted, double squaredReach = HUGE_VAL) const;

private:
    struct Leaf {
        std::array<Lanes, 3> places; ///< NaN for unused entries of the leaf
        std::array<std::uint32_t, kLeafItems> items;
    };
    static_assert(kLeafItems == 4);

    /// Calls `take(item, squaredDistance)` for all points whose squared distance from `p` may be within
    /// `squaredLimit()`, which may shrink during the search.
    template <class Limit, class Take>
    void forPointsNear(Vec3f p, Limit&& squaredLimit, Take&& take) const;

    WideBoxes m_boxes;
    Buffer<Leaf> m_leaves;
};

} // namespace scanloupe::cpu
