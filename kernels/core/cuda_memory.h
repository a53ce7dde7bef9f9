#pragma once
// Declares device allocations and copies for Buffer: memory_cuda.cu implements them, or cuda_unavailable.cpp
// in a build without nvcc.
#include "kernels/core/buffer.h"

namespace scanloupe::detail {

/// Pinned or device memory. @throws KernelError
void* cudaAllocate(std::size_t bytes, MemorySpace space, StreamView stream);
void cudaRelease(void* data, MemorySpace space, StreamView stream) noexcept;
/// @throws KernelError
void cudaCopy(void* to, const void* from, std::size_t bytes, StreamView stream);
/// As cudaCopy, from ordinary host memory, which may change once this returns. @throws KernelError
void cudaUpload(void* to, const void* from, std::size_t bytes, StreamView stream);
/// As cudaCopy, to ordinary host memory. @note Synchronizes. @throws KernelError
void cudaDownload(void* to, const void* from, std::size_t bytes, StreamView stream);

} // namespace scanloupe::detail
