#pragma once
// Masks the points that belong to no voxel, for drawing.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Returns the point if it has a voxel, otherwise NaN: NaN is not drawn, and all points keep their indices.
HD inline Vec3f pointInVoxel(Vec3f point, std::uint32_t voxel) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return voxel == kNoVoxel ? Vec3f{nan, nan, nan} : point;
}

namespace cpu {
/// Returns the points, [N, 3]; NaN for points without a voxel. @throws KernelError; Cancelled
Buffer<Vec3f> pointsInVoxels(std::span<const Vec3f> points, std::span<const std::uint32_t> pointVoxel,
                             const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::pointsInVoxels. Asynchronous.
Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>& points, const Buffer<std::uint32_t>& pointVoxel,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
