#pragma once
// Defines radix sort that starts with the least significant digit.
#include "kernels/sycl/chain/scan.h"

#include <cstdint>
#include <utility>

namespace scanloupe::sycl_chain {

/// Sorts keys below 2^`bits`; each item processes a chunk. Asynchronous.
/// @param spare memory of the same size as `keys` @returns the array that contains the sorted keys: `keys` or
/// `spare`
template <class Q>
std::uint64_t* sortKeys(Q& q, std::uint64_t* keys, std::uint64_t* spare, std::size_t count, int bits) {
    constexpr std::size_t chunk = 512, digits = 256;
    const std::size_t chunks = (count + chunk - 1) / chunk;
    const DeviceArray<std::uint32_t, Q> starts(q, digits * chunks), total(q, 1);
    std::uint32_t* const at = starts.data(); // [digit, chunk] first output position
    for (int shift = 0; shift < bits; shift += 8) {
        starts.clear();
        q.forEach(chunks, [=](std::size_t c) {
            const std::size_t end = count < (c + 1) * chunk ? count : (c + 1) * chunk;
            for (std::size_t i = c * chunk; i < end; ++i)
                ++at[(keys[i] >> shift & (digits - 1)) * chunks + c];
        });
        exclusiveScan(q, at, digits * chunks, total.data());
        q.forEach(chunks, [=](std::size_t c) {
            const std::size_t end = count < (c + 1) * chunk ? count : (c + 1) * chunk;
            for (std::size_t i = c * chunk; i < end; ++i)
                spare[at[(keys[i] >> shift & (digits - 1)) * chunks + c]++] = keys[i];
        });
        std::swap(keys, spare);
    }
    return keys;
}

} // namespace scanloupe::sycl_chain
