// Masks the points without a voxel on the CPU.
#include "kernels/voxelize/values/points_in_voxels.h"

#include "kernels/core/parallel.h"

namespace scanloupe::cpu {

Buffer<Vec3f> pointsInVoxels(std::span<const Vec3f> points, std::span<const std::uint32_t> pointVoxel,
                             const std::stop_token& stop) {
    auto shown = Buffer<Vec3f>::host(points.size());
    parallelFor(shown.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            shown[i] = pointInVoxel(points[i], pointVoxel[i]);
    });
    return shown;
}

} // namespace scanloupe::cpu
