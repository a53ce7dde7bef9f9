#pragma once
// For sources of operators: adds exclusiveScan() on the device to that of the host (host_queue.h).
#include "kernels/core/queue/queue_body.h"

#if defined(__CUDACC__)
#include "kernels/core/cuda_cub.cuh"

#include <cub/device/device_scan.cuh>

namespace scanloupe {

/// Replaces values by their exclusive sums. Asynchronous.
template <class T>
void exclusiveScan(CudaQueue& q, T* values, std::size_t count) {
    cuda::runCub("cub::DeviceScan::ExclusiveSum", q.stream(), [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, count,
                                             cuda::ownStream(q.stream()));
    });
}

} // namespace scanloupe
#endif
