#pragma once
// Declares device allocations and copies for Buffer, implemented by memory_cuda.cu, or by
// cuda_unavailable.cpp in a build without nvcc.
#include "kernels/core/buffer.h"

namespace scanloupe::detail {

/// Allocates pinned or device memory. @throws KernelError
void* cudaAllocate(std::size_t bytes, MemorySpace space, StreamView stream);
void cudaRelease(void* data, MemorySpace space, StreamView stream) noexcept;
/// Queues a copy on `stream` between device memory and device or pinned memory. @throws KernelError
void cudaCopy(void* to, const void* from, std::size_t bytes, StreamView stream);
/// Copies ordinary host memory to the device; the host memory may be changed once this returns. @throws
/// KernelError
void cudaUpload(void* to, const void* from, std::size_t bytes, StreamView stream);
/// Copies device memory to ordinary host memory. @note Synchronizes. @throws KernelError
void cudaDownload(void* to, const void* from, std::size_t bytes, StreamView stream);

} // namespace scanloupe::detail
