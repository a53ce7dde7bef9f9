#pragma once
// Declares the points in the layout and the memory space that kernels read.
#include "engine/cloud/point_cloud.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstddef>
#include <stop_token>

namespace scanloupe {

/// The coordinates of points, in one memory space. Their attributes are PointAttributes.
struct KernelPoints {
    Buffer<Vec3f> positions; ///< [N, 3] metres, relative to the cloud's origin

    PointsView view() const { return {positions.data(), positions.size(), {}}; }
};

/// The coordinates of every `stride`-th point of the cloud, on the host. @throws KernelError; Cancelled.
KernelPoints pointsOnHost(const PointCloud& cloud, std::size_t stride, const std::stop_token& stop);

} // namespace scanloupe
