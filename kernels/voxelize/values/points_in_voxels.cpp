// Masks the points without a voxel.
#include "kernels/voxelize/values/points_in_voxels.h"

#include "kernels/core/queue/queue_body.h"

namespace scanloupe {

Buffer<Vec3f> pointsInVoxels(Queue& q, const Buffer<Vec3f>& points, const Buffer<std::uint32_t>& pointVoxel) {
    auto shown = bufferOn<Vec3f>(q, points.size());
    Vec3f* const to = shown.data();
    const Vec3f* const from = points.data();
    const std::uint32_t* const voxels = pointVoxel.data();
    q.forEach(points.size(), [=] HD(std::size_t i) { to[i] = pointInVoxel(from[i], voxels[i]); });
    return shown;
}

} // namespace scanloupe
