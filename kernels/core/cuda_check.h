#pragma once
// Checks CUDA runtime calls, and launches kernels, also by programmatic dependent launch (CUDA C++
// Programming Guide). For CUDA sources only.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <cuda_runtime.h>
#include <nv/target>

namespace scanloupe::cuda {

/// Throws for a failed call. @param call the call's name, as the CUDA manual spells it. @throws KernelError
[[noreturn]] void fail(cudaError_t status, const char* call);

/// @throws KernelError that names the call, CUDA's message, and what to do.
inline void check(cudaError_t status, const char* call) {
    if (status != cudaSuccess)
        fail(status, call);
}

/// For destructors, which may not throw: clears the thread's last error, so that no later check reports it.
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

/// For the secondary kernel of a programmatic dependent launch (`launchDependent`): waits until all work that
/// was queued before is complete and its writes are visible. Code before this call may only read data that no
/// earlier kernel writes.
__device__ inline void syncGridDependency() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaGridDependencySynchronize();))
}
/// For the primary kernel of a programmatic dependent launch: lets the next kernel, if it was queued by
/// `launchDependent`, start its blocks while this kernel's blocks are still running.
__device__ inline void triggerDependentLaunch() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (cudaTriggerProgrammaticLaunchCompletion();))
}

/// Whether the kernels of this build support programmatic dependent launch.
bool supportsProgrammaticLaunch();

/// Queues `kernel(arguments...)` with `blocks` blocks by programmatic dependent launch; the kernel has to
/// call `syncGridDependency`. Its start overlaps with the end of the preceding kernel, which saves a
/// microsecond or two where kernels are short. Nothing is queued when `blocks` is 0. @throws KernelError
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

/// As `launch`, for a kernel that calls `syncGridDependency`.
template <class... Parameters, class... Arguments>
void launchDependent(const char* name, std::size_t count, StreamView stream, void (*kernel)(Parameters...),
                     const Arguments&... arguments) {
    launchProgrammatic(name, (count + kBlockSize - 1) / kBlockSize, kBlockSize, 0, stream, kernel,
                       arguments...);
}

} // namespace scanloupe::cuda
