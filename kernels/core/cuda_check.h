#pragma once
// For CUDA sources only: the check of every runtime call, and the one way to launch a kernel.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>

namespace scanloupe::cuda {

/// Throws for a failed call. @param call the call's name, as the CUDA manual spells it. @throws KernelError
[[noreturn]] void fail(cudaError_t status, const char* call);

/// @throws KernelError that names the call, what CUDA says and what to do.
inline void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess)
        fail(status, call);
}

/// For destructors, which may not throw: takes the error off the thread, so that no later check meets it.
inline void checkNoThrow(cudaError_t status) noexcept {
    if (status != cudaSuccess)
        static_cast<void>(cudaGetLastError());
}

/// The stream's handle. @throws KernelError for the legacy default stream, which would wait for all others.
cudaStream_t ownStream(StreamView stream);

inline constexpr unsigned kBlockSize = 256;

/// This thread's item in a kernel that `launch` started.
__device__ inline std::size_t globalIndex() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// Queues `kernel(arguments...)` with one thread for each of `count` items, in blocks of kBlockSize; the last
/// block has threads past the end. Nothing is queued when `count` is 0. @throws KernelError
template <class... Parameters, class... Arguments>
void launch(const char* name, std::size_t count, StreamView stream, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
    if (count == 0)
        return;
    const std::size_t blocks = (count + kBlockSize - 1) / kBlockSize;
    if (blocks > 0x7fffffff)
        fail(cudaErrorInvalidConfiguration, name);
    kernel<<<static_cast<unsigned>(blocks), kBlockSize, 0, ownStream(stream)>>>(arguments...);
    check(cudaGetLastError(), name);
}

} // namespace scanloupe::cuda
