#pragma once
// Declares the cutting of points.
#include "kernels/core/queue/queue.h"
#include "kernels/cut/point_cut.h"

#include <limits>
#include <span>

namespace scanloupe {

/// Coordinate assigned to points that a cut removes. It is beyond every range, so that these points count as
/// outside.
inline constexpr float kCutAway = std::numeric_limits<float>::max();
/// Returns whether a point is present: finite, and not removed by a cut.
HD inline bool isPresent(Vec3f p) {
    return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0 && p.x != kCutAway;
}

/// Moves points that the cut does not keep to kCutAway, so that the rows keep their numbers. Coordinates that
/// are not finite are not changed. The points lie where it computes.
/// @param points [N, 3] metres
/// @throws DeviceMemoryShort; Cancelled
Buffer<Vec3f> cutPoints(HostQueue& q, std::span<const Vec3f> points, const PointCut& cut);
Buffer<Vec3f> cutPoints(CudaQueue& q, std::span<const Vec3f> points, const PointCut& cut);
inline Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const Execution& on) {
    return onQueue(on, [&](auto& q) { return cutPoints(q, points, cut); });
}

namespace detail {
/// Returns the point, or its replacement if the cut removes it.
HD inline Vec3f cutPoint(Vec3f p, const PointCut& cut) {
    if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0) || cut.keeps(p))
        return p;
    return {kCutAway, kCutAway, kCutAway};
}
} // namespace detail

} // namespace scanloupe
