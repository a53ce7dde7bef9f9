#pragma once
// Converts between single and half precision (IEEE 754 binary16), for both backends.
#include "kernels/core/hd.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// The bits of `value` in half precision (IEEE 754 binary16), rounded to nearest, ties to even; values that
/// are too large become infinite.
HD inline std::uint16_t toHalf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000u;
    const std::uint32_t magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u)
        return static_cast<std::uint16_t>(sign | 0x7e00u); // NaN
    if (magnitude >= 0x477ff000u)                          // 65520: rounds past the largest, 65504
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    std::uint32_t half, rest, tie;  // kept bits, discarded bits, and their value at a tie
    if (magnitude >= 0x38800000u) { // 2^-14: normal
        half = (magnitude - 0x38000000u) >> 13;
        rest = magnitude & 0x1fffu;
        tie = 0x1000u;
    } else {
        const std::uint32_t shift = 126 - (magnitude >> 23); // of a 24-bit mantissa to units of 2^-24
        if (shift > 24)
            return static_cast<std::uint16_t>(sign);
        const std::uint32_t mantissa = (magnitude & 0x7fffffu) | 0x800000u;
        half = mantissa >> shift;
        rest = mantissa & ((1u << shift) - 1);
        tie = 1u << (shift - 1);
    }
    half += rest > tie || (rest == tie && (half & 1u)) ? 1u : 0u; // may carry into the exponent, as it should
    return static_cast<std::uint16_t>(sign | half);
}

/// The value of half-precision bits.
HD inline float fromHalf(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 0x1fu,
                        mantissa = half & 0x3ffu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign ? -magnitude : magnitude;
    }
    const std::uint32_t wide = exponent == 31 ? 0x7f800000u : (exponent + 112) << 23;
    return std::bit_cast<float>(sign | wide | mantissa << 13);
}

} // namespace scanloupe
