#pragma once
// Declares the order of a scan's points along a Morton curve: threads of a warp then look up the same cells.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Indices of the points along a Morton curve through their bounding box, 1024 steps per axis. Points of one
/// step stay in their order; so do points that are not finite, which come last.
std::vector<std::uint32_t> ndtOrder(std::span<const Vec3f> points);

/// The points in that order.
std::vector<Vec3f> inOrder(std::span<const Vec3f> points, std::span<const std::uint32_t> order);

} // namespace scanloupe
