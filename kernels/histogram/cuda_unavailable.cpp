// Provides stubs for the .cu files in a build without nvcc.
#include "kernels/core/cuda_unavailable.h"
#include "kernels/histogram/histogram.h"

namespace scanloupe::cuda {

Histogram histogram(const HistogramColumn&, const HistogramParams&, StreamView) {
    detail::throwNoCuda();
}

} // namespace scanloupe::cuda
