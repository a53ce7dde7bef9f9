#pragma once
// Declares the removal of small parts from a surface that is stored in tiles.
#include "engine/io/common/progress.h"
#include "engine/survey/tiles/tile_run.h"
#include "engine/survey/tiles/tile_store.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The tiles of a surface without its small parts.
struct CleanedTiles {
    std::vector<TileRecord> tiles; ///< records in the TileStore that the cleaned tiles were written to
    Sha256Digest digest{}; ///< see surfaceDigest(); the checksum of a changed brick is computed from its
                           ///< previous checksum, its remaining triangles and its remaining vertices
    CleanUpReport report;
};

/// Removes the connected parts of a surface with fewer than `minTriangles` triangles. Parts are connected by
/// shared vertices, even across tiles, so that the result does not depend on the tile size. Reads each tile
/// twice. Reuses tiles of the same surface that were already cleaned.
/// @param tiles all records of `from` @throws EngineError if a tile is damaged or the disk is full; Cancelled
CleanedTiles cleanTiles(const TileStore& from, const TileStore& to, const TilePlan& plan,
                        const std::vector<TileRecord>& tiles, std::uint64_t minTriangles,
                        const ProgressFunction& progress, const std::stop_token& stop);

} // namespace scanloupe
