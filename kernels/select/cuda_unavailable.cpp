// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/select/select_points.h"

namespace scanloupe::cuda {

PointSet selectPoints(std::span<const Vec3f>, const PointPredicate&, StreamView) {
    detail::throwNoCuda();
}
void combine(PointSet&, const PointSet&, SetOperation, StreamView) {
    detail::throwNoCuda();
}
std::uint64_t countOf(const PointSet&, StreamView) {
    detail::throwNoCuda();
}
Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f>, const ViewWindow&, float, StreamView) {
    detail::throwNoCuda();
}
PointSet voxelsOf(const PointSet&, const Buffer<std::uint32_t>&, std::size_t, StreamView) {
    detail::throwNoCuda();
}
void removePoints(Buffer<Vec3f>&, const PointSet&, StreamView) {
    detail::throwNoCuda();
}
void tintChosen(Buffer<std::uint32_t>&, const PointSet&, const std::uint32_t*, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
