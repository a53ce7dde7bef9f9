#pragma once
// Searches sorted lists of brick keys on the device.
#include <cstddef>
#include <cstdint>

namespace scanloupe::cuda {

/// A list of brick keys in ascending order.
struct BrickKeys {
    const std::uint64_t* keys;
    std::size_t count;

    /// Returns the index of the first key that is >= `key`.
    __device__ std::size_t find(std::uint64_t key) const {
        std::size_t begin = 0;
        for (std::size_t length = count; length > 0;) {
            const std::size_t half = length / 2;
            const bool right = keys[begin + half] < key;
            begin = right ? begin + half + 1 : begin;
            length = right ? length - half - 1 : half;
        }
        return begin;
    }
};

} // namespace scanloupe::cuda
