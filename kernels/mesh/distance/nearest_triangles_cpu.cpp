// Finds the nearest triangles of many places on the CPU.
#include "kernels/mesh/distance/nearest_triangles.h"

#include "kernels/mesh/distance/triangle_search.h"

#include <algorithm>

namespace scanloupe::cpu {

Buffer<std::uint32_t> nearestTrianglesOf(std::span<const Vec3f> places, const TriangleSearch& search,
                                         float largest, const std::stop_token& stop) {
    auto items = Buffer<std::uint32_t>::host(places.size());
    std::ranges::fill(items.span(), kNoItem);
    forNearestTriangles(places, search, double(largest) * double(largest), stop,
                        [&](std::size_t i, NearestItem nearest) { items[i] = nearest.item; });
    return items;
}

} // namespace scanloupe::cpu
