#pragma once
// Declares the planes around points of a scan, found where they are asked for, on the CPU.
#include "kernels/change/point_search.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <unordered_map>

namespace scanloupe::cpu {

class LocalPlanes {
public:
    struct Plane {
        Vec3d middle;           ///< of the neighbours, relative to the point
        Vec3d normal;           ///< unit vector, of no certain side; zero: there is no plane
        double squaredTilt = 0; ///< see LocalSurface
    };

    /// @param points of the scan, on the host @param search of it; both outlive it
    /// @param neighbours that a plane goes through, 3 to kMostNeighbours
    LocalPlanes(const Vec3f* points, const PointSearch& search, int neighbours)
        : m_points(points), m_search(search), m_neighbours(neighbours) {}

    /// Finds those of some points, which may be kNoItem. From one thread at a time. @throws Cancelled
    void find(std::span<const std::uint32_t> items, const std::stop_token& stop);
    /// Of a point for which it was found. From any thread.
    const Plane& at(std::uint32_t item) const { return m_planes.find(item)->second; }

private:
    const Vec3f* m_points;
    const PointSearch& m_search;
    int m_neighbours;
    std::unordered_map<std::uint32_t, Plane> m_planes; // of few points of a large scan
};

} // namespace scanloupe::cpu
