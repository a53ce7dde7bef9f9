#pragma once
// Declares Buffer: an owned array of trivially copyable elements in host, pinned or device memory.
#include "kernels/core/error.h"
#include "kernels/core/stream.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

namespace scanloupe {

/// The kind of memory that a buffer uses.
enum class MemorySpace : std::uint8_t {
    host,   ///< ordinary memory, 64-byte aligned
    pinned, ///< page-locked host memory, which the device can read and write asynchronously
    device, ///< device memory from the device's stream-ordered pool
};

/// Function that frees host memory allocated by another library. @param owner the value that was passed with
/// the memory
using ReleaseMemory = void (*)(void* data, void* owner);

namespace detail {
/// Owns untyped memory (RAII). Device memory is freed on the stream that it was allocated on.
class Storage {
public:
    Storage() = default;
    /// Takes ownership of host memory allocated elsewhere; the destructor calls `freeMemory(data, owner)`.
    Storage(void* data, std::size_t bytes, ReleaseMemory freeMemory, void* owner)
        : m_data(data), m_bytes(bytes), m_free(freeMemory), m_owner(owner) {}
    /// Allocates memory. @throws KernelError when the allocation fails, with the requested size and what to
    /// do.
    Storage(std::size_t bytes, MemorySpace space, StreamView stream);
    ~Storage() { release(); }
    Storage(Storage&& other) noexcept { swap(other); }
    Storage& operator=(Storage&& other) noexcept {
        swap(other);
        return *this;
    }
    void swap(Storage& other) noexcept {
        std::swap(m_data, other.m_data);
        std::swap(m_bytes, other.m_bytes);
        std::swap(m_space, other.m_space);
        std::swap(m_stream, other.m_stream);
        std::swap(m_free, other.m_free);
        std::swap(m_owner, other.m_owner);
    }
    void* data() const { return m_data; }
    MemorySpace space() const { return m_space; }
    StreamView stream() const { return m_stream; }

private:
    void release() noexcept;
    void* m_data = nullptr;
    std::size_t m_bytes = 0;
    MemorySpace m_space = MemorySpace::host;
    StreamView m_stream{nullptr};
    ReleaseMemory m_free = nullptr; ///< frees adopted host memory; null if this class allocated it
    void* m_owner = nullptr;
};
/// Copies bytes between any two memory spaces. Asynchronous if a device is involved, except for pageable
/// memory: when this returns, pageable input may be changed, and pageable output is complete. @throws
/// KernelError
void copyBytes(void* to, MemorySpace toSpace, const void* from, MemorySpace fromSpace, std::size_t bytes,
               StreamView stream);
} // namespace detail

/// Owns a fixed number of trivially copyable elements on the host or on the device. The elements are not
/// initialized.
template <class T>
class Buffer {
    static_assert(std::is_trivially_copyable_v<T>);

public:
    Buffer() = default; ///< Creates an empty host buffer.

    /// Allocates `size` elements in ordinary host memory. @throws KernelError when out of memory.
    static Buffer host(std::size_t size) { return Buffer(size, MemorySpace::host, StreamView(nullptr)); }
    /// Allocates `size` elements in `space`; device memory belongs to `stream` and is freed on it. @throws
    /// KernelError
    static Buffer in(MemorySpace space, std::size_t size, StreamView stream) {
        return Buffer(size, space, stream);
    }

    /// Takes ownership of `size` elements of host memory, for example memory that a device shares with the
    /// host.
    static Buffer adopt(T* data, std::size_t size, ReleaseMemory freeMemory, void* owner) {
        Buffer buffer;
        buffer.m_storage = detail::Storage(data, size * sizeof(T), freeMemory, owner);
        buffer.m_size = size;
        return buffer;
    }

    std::size_t size() const { return m_size; }
    bool empty() const { return m_size == 0; }
    std::size_t bytes() const { return m_size * sizeof(T); }
    MemorySpace space() const { return m_storage.space(); }
    T* data() { return static_cast<T*>(m_storage.data()); }
    const T* data() const { return static_cast<const T*>(m_storage.data()); }

    /// Returns the elements, for host code. @throws KernelError when they are on the device.
    std::span<T> span() {
        requireHost();
        return {data(), m_size};
    }
    std::span<const T> span() const {
        requireHost();
        return {data(), m_size};
    }
    /// The elements wherever they lie, for kernels.
    std::span<const T> view() const { return {data(), m_size}; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }

    /// Reduces the number of elements to `size`; a larger `size` has no effect. The memory stays allocated.
    void shrink(std::size_t size) { m_size = size < m_size ? size : m_size; }

    /// Returns a copy in the memory space `target`, ordered on `stream`. A copy to the host is complete when
    /// this returns.
    /// @note Synchronizes when the target is the host. @throws KernelError
    Buffer copyTo(MemorySpace target, StreamView stream) const {
        Buffer copy(m_size, target, stream);
        detail::copyBytes(copy.data(), target, data(), space(), bytes(), stream);
        if (target == MemorySpace::pinned && space() == MemorySpace::device)
            stream.synchronize();
        return copy;
    }

private:
    Buffer(std::size_t size, MemorySpace space, StreamView stream)
        : m_storage(checkedBytes(size), space, stream), m_size(size) {}
    static std::size_t checkedBytes(std::size_t size) {
        if (size > SIZE_MAX / sizeof(T))
            throw KernelError("the requested buffer exceeds the address space",
                              "Use a larger voxel size or a smaller range.");
        return size * sizeof(T);
    }
    void requireHost() const {
        if (space() == MemorySpace::device)
            throw Fault("host code asked for data that lies on the device");
    }
    detail::Storage m_storage;
    std::size_t m_size = 0;
};

/// Returns a host buffer with a copy of `values`.
template <class T>
Buffer<std::remove_const_t<T>> hostCopy(std::span<T> values) {
    auto buffer = Buffer<std::remove_const_t<T>>::host(values.size());
    for (std::size_t i = 0; i < values.size(); ++i)
        buffer[i] = values[i];
    return buffer;
}

} // namespace scanloupe
