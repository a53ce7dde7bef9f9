// Computes distances of positions to the nearest of some points.
#include "kernels/core/queue/queue_body.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <limits>

namespace scanloupe {

Buffer<float> distancesToPoints(Queue& q, std::span<const Vec3f> positions, std::span<const Vec3f> points,
                                const Bvh& tree) {
    constexpr LongItems limits{1024, std::size_t{1} << 23}; // a launch ends within some 20 ms
    constexpr float missing = std::numeric_limits<float>::quiet_NaN();
    auto distances = bufferOn<float>(q, positions.size());
    float* const to = distances.data();
    const Vec3f* const from = positions.data();
    const Vec3f* const items = points.data();
    const BvhView view = tree.view();
    q.forEachLong(positions.size(), limits, [=] HD(std::size_t i) {
        const bool any = view.items > 0 && isFinite(from[i]);
        to[i] = any ? distanceToPoints(view, items, from[i]) : missing;
    });
    return toHost(q, std::move(distances));
}

} // namespace scanloupe
