#pragma once
// Declares the file with the bricks of a tile's surface and the vertices at its seams (.bricks).
#include "engine/survey/tiles/tile_surface.h"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Bricks of a tile, and its vertices at seams.
struct TileBricks {
    std::vector<PartBrick> bricks;
    std::vector<SeamVertex> seams;
};

/// Writes the bricks and seam vertices of a tile to a file, with the tile's number and a CRC-32. @throws
/// EngineError; Cancelled
void writeBricks(const std::filesystem::path& path, std::size_t tile, std::span<const PartBrick> bricks,
                 std::span<const SeamVertex> seams, const std::stop_token& stop);

/// Reads such a file. Returns nullopt if the file is missing, not a regular file, of another version or
/// another tile, has a wrong size, or does not match its checksum.
std::optional<TileBricks> readBricks(const std::filesystem::path& path, std::size_t tile);

} // namespace scanloupe
