#pragma once
// Reads one scalar value or colour of a column, for both backends.
#include "kernels/core/scalar_type.h"

#include <bit>
#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// A column of values in memory: `sign` * data[i * stride] + `offset`.
struct ValueColumn {
    const void* data = nullptr;
    ScalarType type = ScalarType::float32;
    std::uint32_t stride = 1; ///< distance from one value to the next, in elements
    double offset = 0;
    double sign = 1; ///< 1 or -1
};

HD inline float valueAt(const ValueColumn& column, std::size_t i) {
    const std::size_t at = i * column.stride;
    const double value = scalarAt(column.data, column.type, at);
    return static_cast<float>(column.sign * value + column.offset);
}

/// Three columns that form a colour, and the factor that scales them to 0..255.
struct ColourColumns {
    ValueColumn red, green, blue;
    float scale = 1;
};

HD inline std::uint32_t byteOf(float v) {
    return static_cast<std::uint32_t>((v > 0 ? v < 255 ? v : 255.0f : 0.0f) + 0.5f);
}
/// Returns the opaque RGBA of element i; NaN channels become 0.
HD inline std::uint32_t colourAt(const ColourColumns& columns, std::size_t i) {
    return byteOf(valueAt(columns.red, i) * columns.scale) |
           byteOf(valueAt(columns.green, i) * columns.scale) << 8 |
           byteOf(valueAt(columns.blue, i) * columns.scale) << 16 | 0xff000000u;
}

/// Maps finite values to integers of the same order; values that are not finite get the largest integer.
HD inline std::uint32_t orderOf(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    if ((bits & 0x7f800000u) == 0x7f800000u)
        return 0xffffffffu;
    return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}
/// Inverts orderOf(), except for the largest integer.
HD inline float valueOfOrder(std::uint32_t order) {
    return std::bit_cast<float>(order & 0x80000000u ? order & 0x7fffffffu : ~order);
}

} // namespace scanloupe
