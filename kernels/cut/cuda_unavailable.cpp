// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/cut/cut_points.h"

namespace scanloupe::cuda {

Buffer<Vec3f> cutPoints(std::span<const Vec3f>, const PointCut&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
