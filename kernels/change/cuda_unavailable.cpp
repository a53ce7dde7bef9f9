// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/change/cloud_distance.h"

namespace scanloupe::cuda {

SignedDistances cloudDistances(const Buffer<Vec3f>&, const ReferencePoints&, const CloudDistanceParams&,
                               const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

Buffer<std::uint32_t> nearestPointsOf(const Buffer<Vec3f>&, const TreePoints&, float, const std::stop_token&,
                                      StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
