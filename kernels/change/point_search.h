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

/// The boxes of a tree over points, and copies of the points in search order.
class PointSearch {
public:
    /// @param scan on the host @throws KernelError for short memory; Cancelled.
    PointSearch(const TreePoints& scan, const std::stop_token& stop);

    Box3f box() const { return m_boxes.box(); }

    /// As nearestPoint(), with the same results. From any thread. @param p finite
    NearestItem nearest(Vec3f p, NearestItem best) const;
    /// As nearestPoints(), with the same results. From any thread. @param place finite
    /// @param squaredReach a squared distance known to contain at least `wanted` points
    Neighbours neighbours(Vec3f place, int wanted, double squaredReach = HUGE_VAL) const;

private:
    struct Leaf {
        std::array<Lanes, 3> places; ///< NaN for missing points
        std::array<std::uint32_t, kLeafItems> items;
    };
    static_assert(kLeafItems == 4);

    /// Calls `take(item, squaredDistance)` for points that may be within `squaredLimit()`.
    template <class Limit, class Take>
    void forPointsNear(Vec3f p, Limit&& squaredLimit, Take&& take) const;

    WideBoxes m_boxes;
    Buffer<Leaf> m_leaves;
};

} // namespace scanloupe::cpu
