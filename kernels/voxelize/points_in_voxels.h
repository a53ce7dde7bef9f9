#pragma once
// The points that belong to a voxel, for drawing.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/voxel_grid.h"

#include <limits>
#include <span>
#include <stop_token>

namespace scanloupe {

/// The point where it has a voxel; else no number, of which nothing is drawn and which keeps its index.
HD inline Vec3f pointInVoxel(Vec3f point, std::uint32_t voxel) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    return voxel == kNoVoxel ? Vec3f{nan, nan, nan} : point;
}

namespace cpu {
/// [N, 3] of the points and the voxel of each. @throws KernelError; Cancelled.
Buffer<Vec3f> pointsInVoxels(std::span<const Vec3f> points, std::span<const std::uint32_t> pointVoxel,
                             const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// The same on the device. Asynchronous.
Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>& points, const Buffer<std::uint32_t>& pointVoxel,
                             StreamView stream);
} // namespace cuda

} // namespace scanloupe
