#pragma once
// Declares the planes around points of a scan, found where they are asked for, on the CPU.
#include "kernels/change/point_search.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe::cpu {

class LocalPlanes {
public:
    struct Plane {
        Vec3d middle; ///< of the neighbours, relative to the point
        Vec3d normal; ///< unit vector, of no certain side; zero: there is no plane
    };

    /// @param scan on the host, and outlives it @param size N of its points @param neighbours that a plane
    /// goes through, 3 to kMostNeighbours @throws KernelError for short memory; Cancelled.
    LocalPlanes(const TreePoints& scan, std::size_t size, int neighbours, const std::stop_token& stop);

    /// Finds those of some points, which may be kNoItem. From one thread at a time. @throws Cancelled
    void find(std::span<const std::uint32_t> items, const std::stop_token& stop);
    /// Of a point for which it was found.
    const Plane& at(std::uint32_t item) const { return m_planes[item]; }

private:
    const Vec3f* m_points;
    PointSearch m_search;
    int m_neighbours;
    std::vector<Plane> m_planes; // [N]
    std::vector<std::uint8_t> m_known;
};

} // namespace scanloupe::cpu
