#pragma once
// Converts half-precision floats (IEEE 754 binary16) to single precision.
#include <bit>
#include <cstdint>

namespace scanloupe {

/// Converts exactly, since single precision holds all half-precision values.
inline float fromHalf(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16, exponent = half >> 10 & 0x1fu,
                        fraction = half & 0x3ffu;
    if (exponent == 0) { // zero and subnormals, in steps of 2^-24
        const float size = static_cast<float>(fraction) * 0x1p-24f;
        return sign ? -size : size;
    }
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112; // biases: 15 and 127
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

} // namespace scanloupe
