#pragma once
// For sources of operators that are compiled once for each backend: defines its queue, and names it.
#if defined(__CUDACC__)
#include "kernels/core/queue/cuda_queue.cuh"
#else
#include "kernels/core/queue/host_queue.h"
#endif

namespace scanloupe {

/// The queue of the operators that this compilation defines.
#if defined(__CUDACC__)
using Queue = CudaQueue;
#else
using Queue = HostQueue;
#endif

} // namespace scanloupe
