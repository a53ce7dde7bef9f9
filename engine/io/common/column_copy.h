#pragma once
// Copies a strided column of numbers from a file's records into a column of a cloud, and converts its type
// and byte order.
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <span>

namespace scanloupe {

/// Destination of the values of one column.
struct ColumnTarget {
    std::byte* data = nullptr; ///< value of row 0; null: the column is dropped
    std::size_t stride = 0;    ///< bytes from row to row
    ScalarType type = ScalarType::float32;
    bool coordinate = false; ///< part of the position
    /// For packed 32-bit colours (0xAARRGGBB): red, green, blue and alpha, one byte a row; null: not wanted.
    std::byte* packed[4] = {nullptr, nullptr, nullptr, nullptr};

    bool isPacked() const { return packed[0] || packed[1] || packed[2] || packed[3]; }
};

/// Copies `count` values of `type` from `source` (`stride` bytes apart, of the other byte order when
/// `swapped`) to the rows from `firstRow` on.
void copyColumn(const std::byte* source, std::size_t stride, ScalarType type, bool swapped,
                const ColumnTarget& target, std::size_t firstRow, std::size_t count);

/// Sets `count` values of the columns to 0, from row `row` on.
void clearRows(std::span<const ColumnTarget> columns, std::size_t row, std::size_t count);

/// Stores one 0xAARRGGBB colour.
inline void storePackedColour(const ColumnTarget& target, std::size_t row, std::uint32_t colour) {
    constexpr int shifts[] = {16, 8, 0, 24};
    for (int part = 0; part < 4; ++part)
        if (target.packed[part])
            target.packed[part][row] = static_cast<std::byte>(colour >> shifts[part] & 0xff);
}

} // namespace scanloupe
