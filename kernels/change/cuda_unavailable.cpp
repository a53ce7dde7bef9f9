// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/change/m3c2.h"

namespace scanloupe::cuda {

Buffer<M3c2Change> m3c2(const Buffer<Vec3f>&, const TreePoints&, const TreePoints&, const M3c2Params&,
                        const std::stop_token&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
