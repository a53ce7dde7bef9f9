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
    Buffer<std::uint64_t> keys; // [M]
    Buffer<Vec3f> means;        // [M, 3] metres
};

/// Same as cpu::voxelMeans, with the same bits, with grids whose edges are `edges`: each but the first is of
/// the means of the one before. @param points [N, 3] on the device
/// @note Synchronizes, once for each grid and once more. @throws as cpu::voxelMeans
std::vector<DeviceVoxelMeans> voxelMeans(const Buffer<Vec3f>& points, std::span<const double> edges,
                                         const std::stop_token& stop, StreamView stream);

} // namespace scanloupe::cuda
