#pragma once
// Declares the gathering of values from the voxels of another grid.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>

namespace scanloupe {

/// The centres of the voxels' boxes, [V, 3] metres, in the grid's frame. The grid lies where it computes.
/// Asynchronous on the device. @throws DeviceMemoryShort, KernelError; Cancelled
Buffer<Vec3f> voxelMiddles(HostQueue& q, const VoxelGrid& grid);
Buffer<Vec3f> voxelMiddles(CudaQueue& q, const VoxelGrid& grid);
inline Buffer<Vec3f> voxelMiddles(const VoxelGrid& grid, const Execution& on) {
    return onQueue(on, [&](auto& q) { return voxelMiddles(q, grid); });
}

/// The value at each index in `from`. All data lies where it computes. Asynchronous on the device. @throws
/// DeviceMemoryShort, KernelError; Cancelled
Buffer<float> gatherVoxelValues(HostQueue& q, const Buffer<float>& values, const Buffer<std::uint32_t>& from);
Buffer<float> gatherVoxelValues(CudaQueue& q, const Buffer<float>& values, const Buffer<std::uint32_t>& from);
Buffer<std::uint32_t> gatherVoxelValues(HostQueue& q, const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from);
Buffer<std::uint32_t> gatherVoxelValues(CudaQueue& q, const Buffer<std::uint32_t>& values,
                                        const Buffer<std::uint32_t>& from);
template <class T>
Buffer<T> gatherVoxelValues(const Buffer<T>& values, const Buffer<std::uint32_t>& from, const Execution& on) {
    return onQueue(on, [&](auto& q) { return gatherVoxelValues(q, values, from); });
}

} // namespace scanloupe
