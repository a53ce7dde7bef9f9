#pragma once
// Declares the planes fitted around points of a scan, computed on demand on the CPU.
#include "kernels/change/point_search.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <unordered_map>

namespace scanloupe::cpu {

class LocalPlanes {
public:
    struct Plane {
        Vec3d middle;           ///< mean of the neighbours, relative to the point
        Vec3d normal;           ///< unit vector with an arbitrary sign; zero if no plane could be fitted
        double squaredTilt = 0; ///< variance of the normal's direction, radians squared; see LocalSurface
    };

    /// @param points scan points on the host @param search search over these points; points and search must
    /// outlive this object @param neighbours number of points to fit a plane to, 3 to kMaxNeighbours
    LocalPlanes(const Vec3f* points, const PointSearch& search, int neighbours)
        : m_points(points), m_search(search), m_neighbours(neighbours) {}

    /// Computes the planes of the points with indices `items`; kNoItem is skipped. Not thread-safe. @throws
    /// Cancelled
    void find(std::span<const std::uint32_t> items, const std::stop_token& stop);
    /// Returns the plane of a point that was passed to find(). Thread-safe.
    const Plane& at(std::uint32_t item) const { return m_planes.find(item)->second; }

private:
    const Vec3f* m_points;
    const PointSearch& m_search;
    int m_neighbours;
    // a map, since only few points of a large scan need a plane
    std::unordered_map<std::uint32_t, Plane> m_planes;
};

} // namespace scanloupe::cpu
