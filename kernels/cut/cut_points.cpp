// Cuts points.
#include "kernels/cut/cut_points.h"

#include "kernels/core/queue/queue_body.h"

namespace scanloupe {

Buffer<Vec3f> cutPoints(Queue& q, std::span<const Vec3f> points, const PointCut& cut) {
    auto kept = bufferOn<Vec3f>(q, points.size());
    const Vec3f* const from = points.data();
    Vec3f* const to = kept.data();
    q.forEach(points.size(), [=] HD(std::size_t i) { to[i] = detail::cutPoint(from[i], cut); });
    return kept;
}

} // namespace scanloupe
