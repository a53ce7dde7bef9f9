#pragma once
// Gathers values of the voxels of a grid by index, and computes the centres of voxels.
#include "kernels/core/buffer.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

namespace cpu {
/// Returns the centres of the voxels' boxes, [V, 3] metres, in the grid's frame. @throws Cancelled
Buffer<Vec3f> voxelMiddles(const VoxelGrid& grid, const std::stop_token& stop);
/// Returns values[from[i]] for each i. @throws Cancelled
Buffer<float> gatherVoxelValues(const Buffer<float>& values, const Buffer<std::uint32_t>& from,
                                const std::stop_token& stop);
Buffer<std::uint32_t> gatherVoxelValues(const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as in cpu; all data is on the device. Asynchronous.
Buffer<Vec3f> voxelMiddles(const VoxelGrid& grid, StreamView stream);
Buffer<float> gatherVoxelValues(const Buffer<float>& values, const Buffer<std::uint32_t>& from,
                                StreamView stream);
Buffer<std::uint32_t> gatherVoxelValues(const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from, StreamView stream);
} // namespace cuda

} // namespace scanloupe
