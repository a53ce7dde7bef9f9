#pragma once
// Checks CUDA runtime calls and launches kernels, optionally with programmatic dependent launch (CUDA C++
// Programming Guide). For CUDA sources only.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <nv/target>

namespace scanloupe::cuda {

/// Throws the error of a failed CUDA call. @param call the call's name, as spelled in the CUDA manual.
/// @throws KernelError
[[noreturn]] void fail(cudaError_t status, const char* call);

/// Checks the status of a CUDA call. @throws KernelError with the call, CUDA's message and what to do.
inline void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess)
        fail(status, call);
}

/// Ignores a failed CUDA call in a destructor, which must not throw. Clears the thread's last error, so that
/// no later check reports it.
inline void checkNoThrow(cudaError_t status) noexcept {
    if (status != cudaSuccess)
        static_cast<void>(cudaGetLastError());
}

/// Returns the stream's handle. @throws KernelError for the legacy default stream, which synchronizes with
/// all other streams.
cudaStream_t ownStream(StreamView stream);

inline constexpr unsigned kBlockSize = 256;

/// Returns the index of this thread's item in a kernel started by `launch`.
__device__ inline std::size_t globalIndex() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/// Queues `kernel(arguments...)` with one thread per item, in blocks of kBlockSize threads; the last block
/// may have threads beyond `count`. Queues nothing when `count` is 0. @throws KernelError
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

/// Waits until all previously queued work is complete and its writes are visible. Must be called in the
/// secondary kernel of a programmatic dependent launch (`launchDependent`). Code before this call may only
/// read data that no earlier kernel writes.
__device__ inline void syncGridDependency() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaGridDependencySynchronize();))
}
/// Lets the next kernel, if queued by `launchDependent`, start its blocks while blocks of this kernel are
/// still running. Called in the primary kernel of a programmatic dependent launch.
__device__ inline void triggerDependentLaunch() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaTriggerProgrammaticLaunchCompletion();))
}

/// Returns whether the kernels of this build support programmatic dependent launch.
bool supportsProgrammaticLaunch();

/// Queues `kernel(arguments...)` with `blocks` blocks by programmatic dependent launch; the kernel must call
/// `syncGridDependency`. The kernel's start overlaps the end of the preceding kernel, which saves one or two
/// microseconds per kernel. Queues nothing when `blocks` is 0. @throws KernelError
template <class... Parameters, class... Arguments>
void launchProgrammatic(const char* name, std::size_t blocks, unsigned blockSize, std::size_t sharedBytes,
                        StreamView stream, void (*kernel)(Parameters...), const Arguments&... arguments) {
    if (blocks == 0)
        return;
    if (blocks > 0x7fffffff)
        fail(cudaErrorInvalidConfiguration, name);
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(static_cast<unsigned>(blocks));
    config.blockDim = dim3(blockSize);
    config.dynamicSmemBytes = sharedBytes;
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = supportsProgrammaticLaunch() ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...), name);
}

/// Same as `launch`, by programmatic dependent launch; the kernel must call `syncGridDependency`.
template <class... Parameters, class... Arguments>
void launchDependent(const char* name, std::size_t count, StreamView stream, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
    launchProgrammatic(name, (count + kBlockSize - 1) / kBlockSize, kBlockSize, 0, stream, kernel,
                       arguments...);
}

} // namespace scanloupe::cuda
