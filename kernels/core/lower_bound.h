#pragma once
// Defines the binary search of sorted lists, for both backends.
#include "kernels/core/hd.h"

#include <cstdint>

namespace scanloupe {

/// The index of the first of `count` ascending values that is not below `value`, as std::lower_bound.
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

} // namespace scanloupe
