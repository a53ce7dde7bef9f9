#pragma once
// Declares the planes around points of a scan, computed on demand, on the CPU.
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
        Vec3d normal;           ///< unit vector, with an arbitrary sign; zero: there is no plane
        double squaredTilt = 0; ///< see LocalSurface
    };

    /// @param points of the scan, on the host @param search of the points; both outlive this @param
    /// neighbours number of points to fit a plane to, 3 to kMaxNeighbours
    LocalPlanes(const Vec3f* points, const PointSearch& search, int neighbours)
        : m_points(points), m_search(search), m_neighbours(neighbours) {}

    /// Computes the planes of some points, which may be kNoItem. From one thread at a time. @throws Cancelled
    void find(std::span<const std::uint32_t> items, const std::stop_token& stop);
    /// The plane of a point that was passed to find(). From any thread.
    const Plane& at(std::uint32_t item) const { return m_planes.find(item)->second; }

private:
    const Vec3f* m_points;
    const PointSearch& m_search;
    int m_neighbours;
    // a map, since a large scan needs the planes of few of its points
    std::unordered_map<std::uint32_t, Plane> m_planes;
};

} // namespace scanloupe::cpu
