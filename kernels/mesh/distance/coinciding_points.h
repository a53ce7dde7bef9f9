#pragma once
// Declares the removal of coinciding points from a tree: a search would compare all of them with each place
// near them, since they are equally near.
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Whether any 64 consecutive items of the tree lie in one cell of its curve. This is the case if 192 points
/// coincide, since these are consecutive. @param on where the tree lies @note Synchronizes with the device.
bool isCrowded(const Bvh& tree, const Execution& on);

/// Replaces all but the first `kept` of coinciding points by NaN, which trees skip. Searches for up to `kept`
/// nearest points give the same result as before, since they return the lowest of equally near points.
/// @returns the number of replaced points @throws Cancelled
std::uint64_t leaveOutCoinciding(std::span<Vec3f> points, std::size_t kept, const std::stop_token& stop);

} // namespace scanloupe
