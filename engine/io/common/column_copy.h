#pragma once
// Declares the copy of a strided column of numbers from file records to a column of a cloud, with conversion
// of type and byte order.
#include "kernels/core/scalar_type.h"

#include <cstddef>
#include <span>

namespace scanloupe {

/// Destination of the values of one column.
struct ColumnTarget {
    std::byte* data = nullptr; ///< value of row 0; null: the column is dropped
    std::size_t stride = 0;    ///< bytes between rows
    ScalarType type = ScalarType::float32;
    bool coordinate = false; ///< whether the column is a component of the position
    /// For packed 32-bit colours (0xAARRGGBB): destinations of red, green, blue and alpha, one byte per row;
    /// null: not stored.
    std::byte* packed[4] = {nullptr, nullptr, nullptr, nullptr};

    bool isPacked() const { return packed[0] || packed[1] || packed[2] || packed[3]; }
};

/// Copies `count` values to the rows starting at `firstRow`. @param source values of `type`, `stride` bytes
/// apart @param swapped whether their byte order differs from that of this machine
void copyColumn(const std::byte* source, std::size_t stride, ScalarType type, bool swapped,
                const ColumnTarget& target, std::size_t firstRow, std::size_t count);

/// Sets `count` values of each column to 0, starting at row `row`.
void clearRows(std::span<const ColumnTarget> columns, std::size_t row, std::size_t count);

/// Stores one 0xAARRGGBB colour.
inline void storePackedColour(const ColumnTarget& target, std::size_t row, std::uint32_t colour) {
    constexpr int shifts[] = {16, 8, 0, 24};
    for (int part = 0; part < 4; ++part)
        if (target.packed[part])
            target.packed[part][row] = static_cast<std::byte>(colour >> shifts[part] & 0xff);
}

} // namespace scanloupe
