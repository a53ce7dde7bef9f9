// Converts the coordinates of a point cloud to the layout of the kernels.
#include "engine/results/kernel_points.h"

#include "kernels/core/parallel.h"

namespace scanloupe {

KernelPoints pointsOnHost(const PointCloud& cloud, std::size_t stride, const std::stop_token& stop) {
    KernelPoints points{cloud.floatView(stop)};
    if (stride > 1) {
        const std::size_t count = chunkCount(cloud.size(), stride);
        for (std::size_t i = 0; i < count; ++i)
            points.positions[i] = points.positions[i * stride];
        points.positions.shrink(count);
    }
    return points;
}

} // namespace scanloupe
