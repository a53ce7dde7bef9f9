// Allocates device memory from the device's stream-ordered pool, and pinned host memory.
#include "kernels/core/cuda_check.h"
#include "kernels/core/cuda_memory.h"
#include "kernels/core/cuda_per_device.cuh"

#include <string>

namespace scanloupe {

namespace {

std::string mebibytes(std::size_t bytes) {
    return std::to_string((bytes + (std::size_t{1} << 20) - 1) >> 20) + " MiB";
}

/// Returns the memory pool of the current device. The pool keeps up to a quarter of the device's memory
/// allocated, since allocating from the driver takes longer than most operators. The remaining memory is
/// available to other programs.
cudaMemPool_t pool() {
    // never destroyed, since it is used until the process ends
    static auto* const pools = new cuda::PerDevice<cudaMemPool_t>;
    return pools->get([](int device) {
        cudaMemPool_t found = nullptr;
        cuda::check(cudaDeviceGetDefaultMemPool(&found, device), "cudaDeviceGetDefaultMemPool");
        std::size_t free = 0, total = 0;
        cuda::check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
        std::uint64_t keep = total / 4;
        cuda::check(cudaMemPoolSetAttribute(found, cudaMemPoolAttrReleaseThreshold, &keep),
                    "cudaMemPoolSetAttribute");
        return found;
    });
}

template <class Failure>
[[noreturn]] void failOutOfMemory(std::size_t bytes, const char* where) {
    std::size_t free = 0, total = 0;
    std::string have;
    if (cudaMemGetInfo(&free, &total) == cudaSuccess)
        have = "; " + mebibytes(free) + " of its " + mebibytes(total) + " are free";
    cuda::checkNoThrow(cudaGetLastError());
    throw Failure("not enough " + std::string(where) + " memory: " + mebibytes(bytes) +
                      " in one piece could not be allocated" + have,
                  "Use a larger voxel size or a smaller range, close other programs that use the GPU, or use "
                  "the CPU backend.");
}

void* allocateOnDevice(std::size_t bytes, StreamView stream) {
    const cudaStream_t handle = cuda::ownStream(stream);
    void* data = nullptr;
    cudaError_t status = cudaMallocFromPoolAsync(&data, bytes, pool(), handle);
    if (status == cudaErrorMemoryAllocation) {
        // memory freed on other streams may still be in use, and the pool may be fragmented: return all
        // unused memory to the driver and try again
        cuda::checkNoThrow(status);
        cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
        cuda::check(cudaMemPoolTrimTo(pool(), 0), "cudaMemPoolTrimTo");
        status = cudaMallocFromPoolAsync(&data, bytes, pool(), handle);
    }
    if (status == cudaErrorMemoryAllocation)
        failOutOfMemory<DeviceMemoryShort>(bytes, "device");
    cuda::check(status, "cudaMallocFromPoolAsync");
    return data;
}

void* allocatePinned(std::size_t bytes) {
    void* data = nullptr;
    const cudaError_t status = cudaHostAlloc(&data, bytes, cudaHostAllocPortable);
    if (status == cudaErrorMemoryAllocation)
        failOutOfMemory<KernelError>(bytes, "pinned host");
    cuda::check(status, "cudaHostAlloc");
    return data;
}

} // namespace

namespace detail {

void* cudaAllocate(std::size_t bytes, MemorySpace space, StreamView stream) {
    return space == MemorySpace::device ? allocateOnDevice(bytes, stream) : allocatePinned(bytes);
}

void cudaRelease(void* data, MemorySpace space, StreamView stream) noexcept {
    cuda::checkNoThrow(space == MemorySpace::device ? cudaFreeAsync(data, stream.handle())
                                                    : cudaFreeHost(data));
}

void cudaCopy(void* to, const void* from, std::size_t bytes, StreamView stream) {
    cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, cuda::ownStream(stream)),
                "cudaMemcpyAsync");
}

} // namespace detail

} // namespace scanloupe
