#pragma once
// Declares the file with the bricks of a tile's surface and the vertices at its seams (.bricks).
#include "engine/tiles/tile_surface.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Bricks and seams of a tile.
struct TileBricks {
    std::vector<PartBrick> bricks;
    std::vector<SeamVertex> seams;
};

/// Writes them with the tile's number and a CRC-32. @throws EngineError; Cancelled
void writeBricks(const std::filesystem::path& path, std::size_t tile, std::span<const PartBrick> bricks,
                 std::span<const SeamVertex> seams, const std::stop_token& stop);

/// None when the file is missing, no regular file, of another version or tile, has too few or too many bytes,
/// or does not match its checksum.
std::optional<TileBricks> readBricks(const std::filesystem::path& path, std::size_t tile);

} // namespace scanloupe
