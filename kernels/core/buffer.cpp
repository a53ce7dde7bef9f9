// Allocates, frees and copies the memory of buffers. cuda_memory.h provides device and pinned memory.
#include "kernels/core/buffer.h"

#include "kernels/core/cuda_memory.h"
#include "kernels/core/system/large_pages.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <string>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace scanloupe::detail {

namespace {

constexpr std::size_t kAlignment = 64; // size of a cache line; also an efficient alignment for wide vector
                                       // loads

/// Marks the unused bytes after an array, so that the address sanitizer reports accesses to them; no effect
/// without the sanitizer.
void poison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#ifdef ASAN_POISON_MEMORY_REGION
    ASAN_POISON_MEMORY_REGION(data, bytes);
#endif
}

/// Allocates aligned host memory, or returns null when out of memory. The byte before the returned address
/// stores its offset from the pointer that operator new returned. The aligned operator new of glibc 2.36
/// (memalign) is not used: it splits a larger block, so that a freed array is too small for the next one of
/// the same size.
void* allocateAligned(std::size_t bytes) noexcept {
    if (bytes > std::numeric_limits<std::size_t>::max() - kAlignment)
        return nullptr;
    auto* const start = static_cast<std::uint8_t*>(::operator new(bytes + kAlignment, std::nothrow));
    if (!start)
        return nullptr;
    // between 1 and 64
    const std::size_t offset = kAlignment - reinterpret_cast<std::uintptr_t>(start) % kAlignment;
    start[offset - 1] = std::uint8_t(offset);
    poison(start + offset + bytes, kAlignment - offset);
    return start + offset;
}

void freeAligned(void* data) noexcept {
    auto* const aligned = static_cast<std::uint8_t*>(data);
    ::operator delete(aligned - aligned[-1]);
}

} // namespace

Storage::Storage(std::size_t bytes, MemorySpace space, StreamView stream)
    : m_bytes(bytes), m_space(space), m_stream(stream) {
    if (bytes == 0)
        return;
    if (space != MemorySpace::host) {
        m_data = cudaAllocate(bytes, space, stream);
        return;
    }
    m_data = allocateAligned(bytes);
    if (!m_data)
        throw KernelError("not enough memory: " + std::to_string(bytes >> 20) +
                              " MiB in one piece could not be allocated",
                          "Use a larger voxel size or a smaller range, or close other programs.");
    preferLargePages(m_data, bytes);
}

void Storage::release() noexcept {
    if (!m_data)
        return;
    if (m_free)
        m_free(m_data, m_owner);
    else if (m_space == MemorySpace::host)
        freeAligned(m_data);
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
