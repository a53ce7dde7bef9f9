#pragma once
// Declares how points that coincide are left out of a tree: a search would compare all of them with each
// place near them, since they are equally near.
#include "kernels/core/execution.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Whether some 64 consecutive items of the tree lie in one cell of its curve. If 192 points coincide they
/// do, since these lie next to each other. @param on where the tree lies @note Synchronizes with the device.
bool isCrowded(const Bvh& tree, const Execution& on);

/// Replaces points by NaN, which trees leave out: of those that coincide all but the first `kept`. Searches
/// for up to `kept` nearest points then give the same as before, since of several that are equally near they
/// give the lowest. @returns how many were replaced @throws Cancelled
std::uint64_t leaveOutCoinciding(std::span<Vec3f> points, std::size_t kept, const std::stop_token& stop);

} // namespace scanloupe
