#pragma once
// Converts half-precision floats (IEEE 754 binary16).
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace scanloupe {

/// Converts a half-precision number exactly; single precision represents all of them.
inline float fromHalf(std::uint16_t half) {
    const std::uint32_t sign = std::uint32_t{half & 0x8000u} << 16, exponent = half >> 10 & 0x1fu,
                        fraction = half & 0x3ffu;
    if (exponent == 0) { // zero and subnormals, multiples of 2^-24
        const float size = static_cast<float>(fraction) * 0x1p-24f;
        return sign ? -size : size;
    }
    const std::uint32_t wide = exponent == 31 ? 255 : exponent + 112; // difference of the biases 127 and 15
    return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// Rounds to the nearest half-precision number; halfway cases round to even. Numbers that exceed the maximum
/// of 65504 by at least half a step become infinity.
inline std::uint16_t toHalf(double value) {
    const std::uint32_t sign = std::signbit(value) ? 0x8000u : 0;
    const double size = std::abs(value);
    if (std::isnan(value))
        return static_cast<std::uint16_t>(sign | 0x7e00u);
    if (size >= 65520)
        return static_cast<std::uint16_t>(sign | 0x7c00u);
    const int exponent = std::max(std::ilogb(size), -14); // subnormals have the same step as the smallest
                                                          // normal number
    const double steps = std::nearbyint(std::ldexp(size, 10 - exponent)); // 2048 is carried into the exponent
    const std::uint32_t binade = static_cast<std::uint32_t>(exponent + 14) << 10;
    return static_cast<std::uint16_t>(sign | (binade + static_cast<std::uint32_t>(steps)));
}

} // namespace scanloupe
