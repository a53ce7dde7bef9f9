#pragma once
// Declares the lossless compression of points for temporary files.
#include <cstddef>
#include <span>
#include <vector>

namespace scanloupe {

/// A value of each point of a block: [N, width] bytes.
struct PackedColumn {
    std::span<const std::byte> bytes;
    std::size_t width = 1;
};
struct UnpackedColumn {
    std::span<std::byte> bytes;
    std::size_t width = 1;
};

/// Compresses columns. Bytes of equal significance are stored together: the high bytes of neighbouring points
/// are nearly identical, and zlib compresses their runs.
std::vector<char> packColumns(std::span<const PackedColumn> columns);
/// Decompresses columns. @param columns receive the data; sizes and widths must equal those of packColumns()
/// @throws EngineError if the data is damaged
void unpackColumns(std::span<const char> packed, std::span<const UnpackedColumn> columns);

} // namespace scanloupe
