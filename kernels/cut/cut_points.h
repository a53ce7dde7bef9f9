#pragma once
// Declares cutting points, on both backends.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/cut/point_cut.h"

#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Where points are moved to that a cut does not keep: beyond every range, so that they count as outside.
inline constexpr float kCutAway = std::numeric_limits<float>::max();
/// Whether a point has a place: it is finite, and was not moved away by a cut.
HD inline bool isPresent(Vec3f p) {
    return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0 && p.x != kCutAway;
}

namespace cpu {
/// Points that the cut does not keep are moved to kCutAway, so that all rows stay what they were; coordinates
/// that are not finite stay so.
/// @param points [N, 3] metres
/// @throws Cancelled
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::cutPoints, with the same bytes; the points lie on the device. @throws DeviceMemoryShort
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, StreamView stream);
} // namespace cuda

namespace detail {
/// A point, or where it is moved to.
HD inline Vec3f cutPoint(Vec3f p, const PointCut& cut) {
    if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0) || cut.keeps(p))
        return p;
    return {kCutAway, kCutAway, kCutAway};
}
} // namespace detail

} // namespace scanloupe
