#pragma once
// Declares the 3D Tiles of a survey's surface.
#include "engine/io/common/progress.h"
#include "engine/tiles/tile_store.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct TilesetOptions {
    /// Bricks along a leaf, a power of two: with 32 a flat surface has some 130,000 triangles.
    int leafBricks = 32;
    ProgressFunction progress = {};
};

struct TilesetReport {
    int levels = 0;
    std::uint64_t nodes = 0, triangles = 0, bytes = 0; ///< of all levels
    double wallMs = 0;
};

/// Writes the surface of finished tiles as 3D Tiles 1.1 into their folder: tileset.json, and nodes/ with GLB.
/// The leaves have the surface itself; each level above has half the resolution, its vertices clustered. The
/// files depend on the surface alone, not on the tiles' size. Memory is bounded: a node's content from
/// several tiles is stored on the disk. The tileset of an earlier run stays complete until the new one is.
/// @throws EngineError when a disk is full, a tile is damaged, there are no triangles or the folder has a
/// tileset that the job did not write; Cancelled
TilesetReport writeTileset(const TileStore& store, const TilePlan& plan, const std::vector<TileRecord>& tiles,
                           const TilesetOptions& options, const std::stop_token& stop);

} // namespace scanloupe
