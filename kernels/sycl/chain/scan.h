#pragma once
// Defines exclusive sums (prefix sums) without barriers, so that they run on every device: each item adds a
// chunk.
#include "kernels/sycl/chain/queue_memory.h"

#include <algorithm>
#include <cstddef>

namespace scanloupe::sycl_chain {

/// Replaces each of `count` values by the sum of those before. Asynchronous.
/// @param total receives the sum of all, on the device
/// @tparam T a number, or a struct of numbers with operator+=
template <class T, class Q>
void exclusiveScan(Q& q, T* values, std::size_t count, T* total) {
    constexpr std::size_t chunk = 32; // few, so that a GPU has enough items
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
    q.forEach(chunks, [=](std::size_t c) {
        const std::size_t end = count < (c + 1) * chunk ? count : (c + 1) * chunk;
        T sum{};
        for (std::size_t i = c * chunk; i < end; ++i)
            sum += values[i];
        before[c] = sum;
    });
    exclusiveScan(q, before, chunks, total);
    q.forEach(chunks, [=](std::size_t c) {
        const std::size_t end = count < (c + 1) * chunk ? count : (c + 1) * chunk;
        T sum = before[c];
        for (std::size_t i = c * chunk; i < end; ++i) {
            const T value = values[i];
            values[i] = sum;
            sum += value;
        }
    });
}

} // namespace scanloupe::sycl_chain
