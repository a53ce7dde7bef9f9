#pragma once
// Declares the means of points by the cells of a grid in device memory.
#include "kernels/core/buffer.h"
#include "kernels/register/voxel_means.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe::cuda {

/// Same as VoxelMeans, in device memory.
struct DeviceVoxelMeans {
    VoxelKeys grid;
    Buffer<std::uint64_t> keys; // [M] keys of the occupied cells, ascending
    Buffer<Vec3f> means;        // [M, 3] mean of each cell's points, metres
};

/// Same as cpu::voxelMeans, with identical bits, for several grids. The first grid averages the points; each
/// further grid averages the means of the previous one. @param points [N, 3] on the device @param edges edge
/// lengths of the grids' cells, metres
/// @note Synchronizes once per grid, and once more. @throws as cpu::voxelMeans
std::vector<DeviceVoxelMeans> voxelMeans(const Buffer<Vec3f>& points, std::span<const double> edges,
                                         const std::stop_token& stop, StreamView stream);

} // namespace scanloupe::cuda
