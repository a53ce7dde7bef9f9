#pragma once
// Lists the points of one voxel, for picking.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

namespace cpu {
/// Returns the indices of the points in `voxel`, ascending. @throws Cancelled
std::vector<std::uint32_t> pointsOfVoxel(std::span<const std::uint32_t> pointVoxel, std::uint32_t voxel,
                                         const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::pointsOfVoxel; only the indices are copied to the host.
/// @param most upper bound of the number of the voxel's points. @note Synchronizes with `stream`.
std::vector<std::uint32_t> pointsOfVoxel(const Buffer<std::uint32_t>& pointVoxel, std::uint32_t voxel,
                                         std::size_t most, StreamView stream);
} // namespace cuda

} // namespace scanloupe
