#pragma once
// Declares the removal of coinciding points from a tree. Without it, a search near many coinciding points
// would compare all of them, since they are equally near.
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Returns whether any 64 consecutive items of the tree are in one cell of its curve. This is true if 192
/// points coincide, since coinciding points are consecutive. @param on backend whose memory contains the tree
/// @note Synchronizes with the device.
bool isCrowded(const Bvh& tree, const Execution& on);

/// Replaces all but the first `kept` of each set of coinciding points by NaN, which trees ignore. Searches
/// for up to `kept` nearest points give the same result as before, since they return the lowest index among
/// equally near points.
/// @returns the number of replaced points @throws Cancelled
std::uint64_t leaveOutCoinciding(std::span<Vec3f> points, std::size_t kept, const std::stop_token& stop);

} // namespace scanloupe
