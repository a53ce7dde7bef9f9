#pragma once
// Declares the parallel algorithms of the CPU backend: chunked loops (fork and join), deterministic
// reductions and scans, a radix sort. Chunk boundaries depend only on the input size, never on the number of
// threads, and partial results are combined in chunk order: the same input gives the same bits on every
// machine.
#include "kernels/core/error.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <type_traits>
#include <vector>

namespace scanloupe {

/// A reference to a callable `void(chunk, begin, end)`; it must outlive the call.
class ChunkBody {
public:
    template <class F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, ChunkBody>) ChunkBody(F&& f)
        : m_object(const_cast<void*>(static_cast<const void*>(std::addressof(f)))),
          m_call([](void* object, std::size_t chunk, std::size_t begin, std::size_t end) {
              (*static_cast<std::remove_reference_t<F>*>(object))(chunk, begin, end);
          }) {}

    void operator()(std::size_t chunk, std::size_t begin, std::size_t end) const {
        m_call(m_object, chunk, begin, end);
    }

private:
    void* m_object;
    void (*m_call)(void*, std::size_t, std::size_t, std::size_t);
};

/// Returns how many chunks of at most `grain` items cover `count` items.
constexpr std::size_t chunkCount(std::size_t count, std::size_t grain) {
    return (count + grain - 1) / grain;
}

/// Calls `body(chunk, begin, end)` on all cores for every chunk of `grain` items in [0, count); returns when
/// all calls are done. If bodies throw, the first exception is rethrown after all bodies have ended.
/// @throws Cancelled when `stop` was requested; it is checked before each chunk, so keep chunks under 10 ms.
void parallelChunks(std::size_t count, std::size_t grain, const std::stop_token& stop, ChunkBody body);

/// Same as `parallelChunks`, for bodies `void(begin, end)`.
template <class F>
void parallelFor(std::size_t count, std::size_t grain, const std::stop_token& stop, F&& body) {
    parallelChunks(count, grain, stop,
                   [&body](std::size_t, std::size_t begin, std::size_t end) { body(begin, end); });
}

/// Returns the results of `map(begin, end)` over all chunks, combined by `join(a, b)` in chunk order and
/// starting from `identity`.
template <class T, class Map, class Join>
T parallelReduce(std::size_t count, std::size_t grain, const std::stop_token& stop, T identity, Map&& map,
                 Join&& join) {
    struct Part {
        T value; // wrapped in a struct, since std::vector<bool> packs bits that threads cannot write
                 // separately
    };
    std::vector<Part> parts(chunkCount(count, grain), Part{identity});
    parallelChunks(count, grain, stop, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        parts[chunk].value = map(begin, end);
    });
    T result = identity;
    for (const Part& part : parts)
        result = join(result, part.value);
    return result;
}

/// Replaces `values` by their exclusive prefix sums and returns their total.
template <class T>
T exclusiveScan(std::span<T> values) {
    T sum{};
    for (T& value : values) {
        const T next = sum + value;
        value = sum;
        sum = next;
    }
    return sum;
}

/// A sort key, and the index of its item.
struct KeyIndex {
    std::uint64_t key;
    std::uint64_t index;
};
/// Same as KeyIndex, for keys and indices below 2^32: half the memory.
struct KeyIndex32 {
    std::uint32_t key;
    std::uint32_t index;
};

/// Sorts `items` by ascending key; items with equal keys keep their order. Only the lowest `keyBits` bits of
/// the keys are compared. `scratch` must have the size of `items`; its content is overwritten.
void parallelSortByKey(std::span<KeyIndex> items, std::span<KeyIndex> scratch, int keyBits,
                       const std::stop_token& stop);
void parallelSortByKey(std::span<KeyIndex32> items, std::span<KeyIndex32> scratch, int keyBits,
                       const std::stop_token& stop);

/// Returns the number of threads that `parallelChunks` uses.
int parallelThreads();

} // namespace scanloupe
