#pragma once
// Declares the order of a scan's points along a Morton curve: threads of a warp then look up the same cells.
#include "kernels/core/vec3.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Returns the indices of the points along a Morton curve through their bounding box, with 1024 steps per
/// axis. Points of one step keep their order; points that are not finite come last, in their order.
std::vector<std::uint32_t> ndtOrder(std::span<const Vec3f> points);

/// Returns the points in the order of these indices.
std::vector<Vec3f> inOrder(std::span<const Vec3f> points, std::span<const std::uint32_t> order);

} // namespace scanloupe
