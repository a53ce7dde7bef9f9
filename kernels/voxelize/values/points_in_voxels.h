#pragma once
// Masks the points that belong to no voxel, for drawing.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <limits>

namespace scanloupe {

/// Returns the point if it has a voxel, otherwise NaN: NaN is not drawn, and all points keep their indices.
HD inline Vec3f pointInVoxel(Vec3f point, std::uint32_t voxel) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return voxel == kNoVoxel ? Vec3f{nan, nan, nan} : point;
}

/// [N, 3] the points; NaN for points without a voxel. All data lies where it computes. Asynchronous on the
/// device. @throws DeviceMemoryShort, KernelError; Cancelled
Buffer<Vec3f> pointsInVoxels(HostQueue& q, const Buffer<Vec3f>& points,
                             const Buffer<std::uint32_t>& pointVoxel);
Buffer<Vec3f> pointsInVoxels(CudaQueue& q, const Buffer<Vec3f>& points,
                             const Buffer<std::uint32_t>& pointVoxel);
inline Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>& points, const Buffer<std::uint32_t>& pointVoxel,
                                    const Execution& on) {
    return onQueue(on, [&](auto& q) { return pointsInVoxels(q, points, pointVoxel); });
}

} // namespace scanloupe
