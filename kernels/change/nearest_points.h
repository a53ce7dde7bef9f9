#pragma once
// Searches the nearest points of a scan repeatedly on one backend.
#include "kernels/change/cloud_distance.h"
#include "kernels/change/point_search.h"
#include "kernels/core/execution.h"

#include <span>

namespace scanloupe {

/// A scan in the memory of one backend, prepared for nearest-point searches.
class NearestPoints {
public:
    /// @param points on the host @param tree tree over the points, on the host @param search search over the
    /// points; all three must outlive this object @throws KernelError
    NearestPoints(const Buffer<Vec3f>& points, const Bvh& tree, const cpu::PointSearch& search,
                  const Execution& on)
        : m_on(on), m_scan{tree.view(), points.data()}, m_search(search) {
        if (!on.onDevice())
            return;
        const StreamView stream = *on.device;
        m_points = points.copyTo(MemorySpace::device, stream);
        m_tree = {tree.boxes.copyTo(MemorySpace::device, stream),
                  tree.order.copyTo(MemorySpace::device, stream), tree.shape};
        m_scan = {m_tree.view(), m_points.data()};
    }

    /// Returns the nearest point of each place, see cpu::nearestPointsOf; `places` and the result are on the
    /// host.
    Buffer<std::uint32_t> of(const Buffer<Vec3f>& places, float largest,
                             std::span<const std::uint32_t> hints = {}) const {
        if (!m_on.onDevice())
            return cpu::nearestPointsOf(places.span(), m_scan, m_search, largest, hints, m_on.stop);
        const StreamView stream = *m_on.device;
        const Buffer<Vec3f> there = places.copyTo(MemorySpace::device, stream);
        return cuda::nearestPointsOf(there, m_scan, largest, m_on.stop, stream)
            .copyTo(MemorySpace::host, stream);
    }

private:
    Execution m_on;
    Buffer<Vec3f> m_points; ///< copy of the points on the device; empty on the CPU backend
    Bvh m_tree;
    TreePoints m_scan;                ///< points and tree in the memory of the backend
    const cpu::PointSearch& m_search; ///< search over the points on the host
};

} // namespace scanloupe
