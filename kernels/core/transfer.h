#pragma once
// Declares transfers between host code and the device, in pieces through pinned memory, on all cores: host
// code computes data for the device, or reads data of the device.
#include "kernels/core/buffer.h"
#include "kernels/core/execution.h"
#include "kernels/core/parallel.h"

#include <memory>
#include <stop_token>

namespace scanloupe {

namespace detail {

/// A reference to a callable `void(begin, bytes)` that writes or reads the bytes [begin, begin +
/// bytes.size()). The callable must outlive the call.
class PieceBody {
public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, PieceBody>) PieceBody(F&& f)
        : m_object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
          m_call([](void* object, std::size_t begin, std::span<std::byte> bytes) {
              (*static_cast<std::remove_reference_t<F>*>(object))(begin, bytes);
          }) {}

    void operator()(std::size_t begin, std::span<std::byte> bytes) const { m_call(m_object, begin, bytes); }

private:
    void* m_object;
    void (*m_call)(void*, std::size_t, std::span<std::byte>);
};

/// Fills device memory with bytes that `fill` writes, on all cores, in pieces that are multiples of `unit`
/// bytes. @throws KernelError; Cancelled
void cudaFill(void* to, std::size_t bytes, std::size_t unit, PieceBody fill, StreamView stream,
              const std::stop_token& stop);
/// Passes device memory to `use`, on all cores, in pieces that are multiples of `unit` bytes. All calls are
/// done when this returns. @throws KernelError; Cancelled
void cudaUse(const void* from, std::size_t bytes, std::size_t unit, PieceBody use, StreamView stream,
             const std::stop_token& stop);

inline constexpr std::size_t kHostPiece = std::size_t{512} << 10; ///< bytes; fits into a core's cache

/// Returns the largest multiple of `unit` that is <= `most`, but at least `unit`. All in bytes.
constexpr std::size_t wholeUnits(std::size_t most, std::size_t unit) {
    return most < unit ? unit : most / unit * unit;
}

} // namespace detail

/// Returns `size` elements in device memory, ordered on `stream`. `fill(first, piece)` writes the elements
/// from index `first` on into host memory; it is called on all cores and must not be parallel itself. @throws
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

/// Same as uploadFilled(), in the memory of the backend of an Execution.
template <class T, class Fill>
Buffer<T> filledBuffer(std::size_t size, const Execution& on, Fill&& fill) {
    if (on.onDevice())
        return uploadFilled<T>(size, *on.device, on.stop, fill);
    auto buffer = Buffer<T>::host(size);
    parallelFor(size, detail::kHostPiece / sizeof(T), on.stop, [&](std::size_t begin, std::size_t end) {
        fill(begin, buffer.span().subspan(begin, end - begin));
    });
    return buffer;
}

/// Passes the results of a computation to `use(begin, bytes)` in host memory, in pieces that are multiples of
/// `unit` bytes; `begin` is the offset of a piece in bytes. `use` is called on all cores and must not be
/// parallel itself. @throws KernelError; Cancelled
template <class Use>
void useOnHost(const Buffer<std::byte>& computed, std::size_t unit, const Execution& on, Use&& use) {
    const auto piece = [&](std::size_t begin, std::span<std::byte> bytes) {
        use(begin, std::span<const std::byte>(bytes));
    };
    if (computed.space() == MemorySpace::device)
        return detail::cudaUse(computed.data(), computed.bytes(), unit, piece, *on.device, on.stop);
    parallelFor(
        computed.bytes(), detail::wholeUnits(detail::kHostPiece, unit), on.stop,
        [&](std::size_t begin, std::size_t end) { use(begin, computed.span().subspan(begin, end - begin)); });
}

} // namespace scanloupe
