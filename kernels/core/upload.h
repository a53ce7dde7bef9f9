#pragma once
// Declares the upload of what host code computes, piece by piece through pinned memory.
#include "kernels/core/buffer.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

namespace detail {

/// A reference to a callable `void(begin, bytes)`, which writes the bytes [begin, begin + bytes.size()); it
/// must outlive the call.
class FillBody {
public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FillBody>) FillBody(F&& f)
        : m_object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
          m_call([](void* object, std::size_t begin, std::span<std::byte> bytes) {
              (*static_cast<std::remove_reference_t<F>*>(object))(begin, bytes);
          }) {}

    void operator()(std::size_t begin, std::span<std::byte> bytes) const { m_call(m_object, begin, bytes); }

private:
    void* m_object;
    void (*m_call)(void*, std::size_t, std::span<std::byte>);
};

/// Fills device memory by `fill`, on all cores, in pieces of whole units. @throws KernelError; Cancelled
void cudaFill(void* to, std::size_t bytes, std::size_t unit, FillBody fill, StreamView stream,
              const std::stop_token& stop);

} // namespace detail

/// `size` elements in device memory, ordered on `stream`. `fill(first, piece)` writes the elements from
/// `first` on into memory of the host; it is called on all cores, and must not be parallel itself. @throws
/// DeviceMemoryShort, KernelError; Cancelled
template <class T, class Fill>
Buffer<T> uploadFilled(std::size_t size, StreamView stream, const std::stop_token& stop, Fill&& fill) {
    auto buffer = Buffer<T>::in(MemorySpace::device, size, stream);
    detail::cudaFill(
        buffer.data(), buffer.bytes(), sizeof(T),
        [&fill](std::size_t begin, std::span<std::byte> bytes) {
            fill(begin / sizeof(T),
                 std::span<T>(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)));
        },
        stream, stop);
    return buffer;
}

} // namespace scanloupe
