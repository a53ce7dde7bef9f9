// Masks the points without a voxel on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/values/points_in_voxels.h"

namespace scanloupe::cuda {

namespace {

__global__ void maskPointsInVoxels(const Vec3f* points, const std::uint32_t* pointVoxel, std::size_t count,
                                   Vec3f* shown) {
    const std::size_t i = globalIndex();
    if (i < count)
        shown[i] = pointInVoxel(points[i], pointVoxel[i]);
}

} // namespace

Buffer<Vec3f> pointsInVoxels(const Buffer<Vec3f>& points, const Buffer<std::uint32_t>& pointVoxel,
                             StreamView stream) {
    auto shown = Buffer<Vec3f>::in(MemorySpace::device, points.size(), stream);
    launch("maskPointsInVoxels", points.size(), stream, maskPointsInVoxels, points.data(), pointVoxel.data(),
           points.size(), shown.data());
    return shown;
}

} // namespace scanloupe::cuda
