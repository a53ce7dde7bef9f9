#pragma once
// Declares the cutting of points, on both backends.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/cut/point_cut.h"

#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Coordinate of points that a cut does not keep: beyond every range, so that they count as outside.
inline constexpr float kCutAway = std::numeric_limits<float>::max();
/// Whether a point is present: it is finite, and no cut has removed it.
HD inline bool isPresent(Vec3f p) {
    return p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0 && p.x != kCutAway;
}

namespace cpu {
/// Moves points that the cut does not keep to kCutAway, so that the rows keep their numbers. Coordinates that
/// are not finite are not changed.
/// @param points [N, 3] metres
/// @throws Cancelled
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::cutPoints, with the same bytes; the points lie on the device. @throws DeviceMemoryShort
Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, StreamView stream);
} // namespace cuda

namespace detail {
/// The point, or its replacement if the cut removes it.
HD inline Vec3f cutPoint(Vec3f p, const PointCut& cut) {
    if (!(p.x - p.x == 0 && p.y - p.y == 0 && p.z - p.z == 0) || cut.keeps(p))
        return p;
    return {kCutAway, kCutAway, kCutAway};
}
} // namespace detail

} // namespace scanloupe
