// Removes points outside of a cut on the device, with one thread per point.
#include "kernels/core/cuda_check.h"
#include "kernels/cut/cut_points.h"

namespace scanloupe::cuda {

namespace {

__global__ void moveCutPoints(const Vec3f* points, std::size_t count, PointCut cut, Vec3f* kept) {
    const std::size_t i = globalIndex();
    if (i < count)
        kept[i] = detail::cutPoint(points[i], cut);
}

} // namespace

Buffer<Vec3f> cutPoints(std::span<const Vec3f> points, const PointCut& cut, StreamView stream) {
    auto kept = Buffer<Vec3f>::in(MemorySpace::device, points.size(), stream);
    launch("moveCutPoints", points.size(), stream, moveCutPoints, points.data(), points.size(), cut,
           kept.data());
    return kept;
}

} // namespace scanloupe::cuda
