// Computes prefix sums on the device.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/core/queue/queue.h"

#include <cub/device/device_scan.cuh>

namespace scanloupe {

void exclusiveScan(CudaQueue& q, std::uint64_t* values, std::size_t count) {
    cuda::runCub("cub::DeviceScan::ExclusiveSum", q.stream(), [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, values, values, count,
                                             cuda::ownStream(q.stream()));
    });
}

} // namespace scanloupe
