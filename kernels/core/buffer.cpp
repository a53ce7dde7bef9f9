// Allocates, frees and copies the memory of buffers; device and pinned memory by cuda_memory.h.
#include "kernels/core/buffer.h"

#include "kernels/core/cuda_memory.h"
#include "kernels/core/large_pages.h"

#include <cstring>
#include <new>
#include <string>

namespace scanloupe::detail {

namespace {
constexpr std::align_val_t kAlignment{64}; // a cache line; wide vector loads prefer it, too
}

Storage::Storage(std::size_t bytes, MemorySpace space, StreamView stream)
    : m_bytes(bytes), m_space(space), m_stream(stream) {
    if (bytes == 0)
        return;
    if (space != MemorySpace::host) {
        m_data = cudaAllocate(bytes, space, stream);
        return;
    }
    m_data = ::operator new(bytes, kAlignment, std::nothrow);
    if (!m_data)
        throw KernelError("not enough memory: " + std::to_string(bytes >> 20) +
                              " MiB in one piece could not be had",
                          "Take a larger voxel size or a smaller range, or close other programs.");
    preferLargePages(m_data, bytes);
}

void Storage::release() noexcept {
    if (!m_data)
        return;
    if (m_free)
        m_free(m_data, m_owner);
    else if (m_space == MemorySpace::host)
        ::operator delete(m_data, kAlignment);
    else
        cudaRelease(m_data, m_space, m_stream);
    m_data = nullptr;
}

void copyBytes(void* to, MemorySpace toSpace, const void* from, MemorySpace fromSpace, std::size_t bytes,
               StreamView stream) {
    if (bytes == 0)
        return;
    if (toSpace != MemorySpace::device && fromSpace != MemorySpace::device)
        std::memcpy(to, from, bytes);
    else if (toSpace == MemorySpace::device && fromSpace == MemorySpace::host)
        cudaUpload(to, from, bytes, stream);
    else if (toSpace == MemorySpace::host && fromSpace == MemorySpace::device)
        cudaDownload(to, from, bytes, stream);
    else
        cudaCopy(to, from, bytes, stream);
}

} // namespace scanloupe::detail
