#pragma once
// Lists the points of one voxel, for picking.
#include "kernels/core/queue/queue.h"

#include <cstdint>
#include <vector>

namespace scanloupe {

/// The indices of the points that lie in `voxel`, ascending, on the host. `pointVoxel` lies where it
/// computes.
/// @param most at least the number of the voxel's points @throws DeviceMemoryShort, KernelError; Cancelled.
/// @note Synchronizes.
std::vector<std::uint32_t> pointsOfVoxel(HostQueue& q, const Buffer<std::uint32_t>& pointVoxel,
                                         std::uint32_t voxel, std::size_t most);
std::vector<std::uint32_t> pointsOfVoxel(CudaQueue& q, const Buffer<std::uint32_t>& pointVoxel,
                                         std::uint32_t voxel, std::size_t most);
inline std::vector<std::uint32_t> pointsOfVoxel(const Buffer<std::uint32_t>& pointVoxel, std::uint32_t voxel,
                                                std::size_t most, const Execution& on) {
    return onQueue(on, [&](auto& q) { return pointsOfVoxel(q, pointVoxel, voxel, most); });
}

} // namespace scanloupe
