#pragma once
// Declares the packing of points for a file: without loss, by the planes of their bytes.
#include <cstddef>
#include <span>
#include <vector>

namespace scanloupe {

/// One value for each point of a block, [N, width] bytes.
struct PackedColumn {
    std::span<const std::byte> bytes;
    std::size_t width = 1;
};
struct UnpackedColumn {
    std::span<std::byte> bytes;
    std::size_t width = 1;
};

/// Packs columns: bytes of equal significance are stored together, since the high ones of neighbouring points
/// are nearly the same, and zlib compresses their runs.
std::vector<char> packColumns(std::span<const PackedColumn> columns);
/// @param columns receive as many bytes as were packed, with the same widths @throws EngineError when the
/// data is damaged
void unpackColumns(std::span<const char> packed, std::span<const UnpackedColumn> columns);

} // namespace scanloupe
