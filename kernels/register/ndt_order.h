#pragma once
// Declares the order of a scan's points along a Morton curve: threads of a warp then look up the same cells.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Numbers of points along a Morton curve through their bounds, 1024 steps an axis; of one step, and of
/// points that are no numbers, which come last, in the order of the points.
std::vector<std::uint32_t> ndtOrder(std::span<const Vec3f> points);

/// Points in that order.
std::vector<Vec3f> inOrder(std::span<const Vec3f> points, std::span<const std::uint32_t> order);

} // namespace scanloupe
