// Fits planes to the neighbourhoods of points on the CPU.
#include "kernels/change/local_planes.h"

#include "kernels/change/local_surface.h"
#include "kernels/core/parallel.h"

#include <vector>

namespace scanloupe::cpu {

void LocalPlanes::find(std::span<const std::uint32_t> items, const std::stop_token& stop) {
    constexpr std::size_t grain = 128;
    struct Wanted {
        std::uint32_t item;
        Plane* plane; // inserting into a std::unordered_map does not move its elements, so the pointer stays
                      // valid
    };
    std::vector<Wanted> wanted;
    for (const std::uint32_t item : items)
        if (item != kNoItem)
            if (const auto [at, isNew] = m_planes.try_emplace(item); isNew)
                wanted.push_back({item, &at->second});
    parallelFor(wanted.size(), grain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const std::uint32_t item = wanted[i].item;
            const LocalSurface surface = localSurface(
                m_points, item, m_search.neighbours(m_points[item], m_neighbours), LocalModel::plane);
            *wanted[i].plane = {surface.middle, surface.exists ? surface.axes[2] : Vec3d{},
                                surface.squaredTilt};
        }
    });
}

} // namespace scanloupe::cpu
