#pragma once
// Declares the operator that removes points outside of a cut, on both backends.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/cut/point_cut.h"

#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Coordinate assigned to points that a cut removes. It is beyond every range, so that these points count as
/// outside.
inline constexpr float kCutAway = std::numeric_limits<float>::max();
/// Returns whether a point is present: finite, and not removed by a cut.
HD inline bool isPresent(Vec3f p) {
    return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0 && p.x != kCutAway;
}

namespace cpu {
/// Moves points that the cut removes to kCutAway, so that all points keep their indices. Points with
/// coordinates that are not finite are not changed.
/// @param points [N, 3] metres
/// @throws Cancelled
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::cutPoints, with identical bytes; the points are on the device. @throws DeviceMemoryShort
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, StreamView stream);
} // namespace cuda

namespace detail {
/// Returns the point, or its replacement if the cut removes it.
HD inline Vec3f cutPoint(Vec3f p, const PointCut& cut) {
    if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0) || cut.keeps(p))
        return p;
    return {kCutAway, kCutAway, kCutAway};
}
} // namespace detail

} // namespace scanloupe
