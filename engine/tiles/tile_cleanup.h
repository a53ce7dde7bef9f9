#pragma once
// Declares the clean-up of a surface in tiles.
#include "engine/io/common/progress.h"
#include "engine/tiles/tile_run.h"
#include "engine/tiles/tile_store.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A surface without its small parts.
struct CleanedTiles {
    std::vector<TileRecord> tiles; ///< records of the store that they were written to
    Sha256Digest digest{}; ///< see surfaceDigest(); a brick that has lost something has the checksum of its
                           ///< previous checksum, its remaining triangles and its vertices
    CleanUpReport report;
};

/// Removes the connected parts of a surface with fewer than `minTriangles` triangles, even across tiles: the
/// result is the same for tiles of any size. Triangles are connected by their vertices. Reads each tile
/// twice. Tiles of the same surface that were cleaned before are reused.
/// @param tiles the records of `from`, of the whole surface @throws EngineError when a tile is damaged or the
/// disk is full; Cancelled
CleanedTiles cleanTiles(const TileStore& from, const TileStore& to, const TilePlan& plan,
                        const std::vector<TileRecord>& tiles, std::uint64_t minTriangles,
                        const ProgressFunction& progress, const std::stop_token& stop);

} // namespace scanloupe
