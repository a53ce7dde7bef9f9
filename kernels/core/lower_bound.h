#pragma once
// Defines binary searches of sorted lists, for both backends.
#include "kernels/core/hd.h"

#include <cstdint>

namespace scanloupe {

/// Returns the index of the first of `count` ascending values that is >= `value`, like std::lower_bound;
/// `count` if there is none.
template <class T>
HD std::uint32_t lowerBound(const T* values, std::uint32_t count, T value) {
    std::uint32_t low = 0;
    while (count > 0) {
        const std::uint32_t half = count / 2;
        if (values[low + half] < value) {
            low += half + 1;
            count -= half + 1;
        } else {
            count = half;
        }
    }
    return low;
}

/// Same as lowerBound(), for distinct integers, starting at index `near` of a value that may be close to
/// `value`. In a list without gaps it finds the index in one step.
template <class T>
HD std::uint32_t lowerBoundNear(const T* values, std::uint32_t count, std::uint32_t near, T value) {
    // distinct ascending integers differ by at least the difference of their indices
    const T known = values[near];
    if (value <= known) {
        const T apart = known - value;
        const std::uint32_t first = apart < near ? near - static_cast<std::uint32_t>(apart) : 0;
        return values[first] >= value ? first
                                      : first + 1 + lowerBound(values + first + 1, near - first - 1, value);
    }
    const T apart = value - known;
    const std::uint32_t last = apart < count - near ? near + static_cast<std::uint32_t>(apart) : count;
    return last < count && values[last] == value
               ? last
               : near + 1 + lowerBound(values + near + 1, last - near - 1, value);
}

} // namespace scanloupe
