// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/change/cloud_distance.h"
#include "kernels/change/m3c2.h"

namespace scanloupe::cuda {

Buffer<M3c2Change> m3c2(const Buffer<Vec3f>&, const TreePoints&, const TreePoints&, const M3c2Params&,
                        const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

SignedDistances cloudDistances(const Buffer<Vec3f>&, const ReferencePoints&, const CloudDistanceParams&,
                               const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

Buffer<std::uint32_t> nearestPointsOf(const Buffer<Vec3f>&, const TreePoints&, float, const std::stop_token&,
                                      StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
