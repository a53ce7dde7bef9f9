// Removes points outside of a cut on all CPU cores.
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"

namespace scanloupe::cpu {

Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, const std::stop_token& stop) {
    auto kept = Buffer<Vec3f>::host(points.size());
    parallelFor(points.size(), 1 << 16, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            kept[i] = detail::cutPoint(points[i], cut);
    });
    return kept;
}

} // namespace scanloupe::cpu
