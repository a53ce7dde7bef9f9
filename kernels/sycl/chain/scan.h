#pragma once
// Defines exclusive prefix sums without barriers, so that they run on every device: each item sums a chunk.
#include "kernels/sycl/chain/queue_memory.h"

#include <cstddef>

namespace scanloupe::sycl_chain {

/// Replaces each of `count` values by the sum of the previous values. Asynchronous. @param total receives the
/// sum of all values, on the device @tparam T a number, or a struct of numbers with operator+=
template <class T, class Q>
void exclusiveScan(Q& q, T* values, std::size_t count, T* total) {
    // Number of values per item: few enough to fit registers, and to provide a GPU with enough items.
    constexpr std::size_t chunk = sizeof(T) <= 8 ? 32 : 8;
    if (count <= chunk) {
        q.forEach(1, [=](std::size_t) {
            T sum{};
            for (std::size_t i = 0; i < count; ++i) {
                const T value = values[i];
                values[i] = sum;
                sum += value;
            }
            *total = sum;
        });
        return;
    }
    const std::size_t chunks = (count + chunk - 1) / chunk;
    const DeviceArray<T, Q> sums(q, chunks);
    T* const before = sums.data();
    const auto load = [=](std::size_t c, T(&own)[chunk]) {
        const std::size_t first = c * chunk;
        for (std::size_t i = 0; i < chunk; ++i)
            own[i] = first + i < count ? values[first + i] : T{};
    };
    q.forEach(chunks, [=](std::size_t c) {
        T own[chunk];
        load(c, own);
        T sum{};
        for (const T& value : own)
            sum += value;
        before[c] = sum;
    });
    exclusiveScan(q, before, chunks, total);
    q.forEach(chunks, [=](std::size_t c) {
        T own[chunk];
        load(c, own);
        T sum = before[c];
        for (std::size_t i = 0; i < chunk; ++i) {
            if (c * chunk + i < count)
                values[c * chunk + i] = sum;
            sum += own[i];
        }
    });
}

} // namespace scanloupe::sycl_chain
