// Finds planes around points.
#include "kernels/change/local_planes.h"

#include "kernels/change/local_surface.h"
#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

LocalPlanes::LocalPlanes(const TreePoints& scan, std::size_t size, int neighbours,
                         const std::stop_token& stop)
    : m_points(scan.points), m_search(scan, stop), m_neighbours(neighbours), m_planes(size), m_known(size) {}

void LocalPlanes::find(std::span<const std::uint32_t> items, const std::stop_token& stop) {
    constexpr std::size_t grain = 128;
    std::vector<std::uint32_t> wanted;
    for (const std::uint32_t item : items)
        if (item != kNoItem && !m_known[item]) {
            m_known[item] = 1;
            wanted.push_back(item);
        }
    parallelFor(wanted.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t item = wanted[i];
            const LocalSurface surface = localSurface(
                m_points, item, m_search.neighbours(m_points[item], m_neighbours), LocalModel::plane);
            m_planes[item] = {surface.middle, surface.exists ? surface.axes[2] : Vec3d{}};
        }
    });
}

} // namespace scanloupe::cpu
