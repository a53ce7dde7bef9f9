#pragma once
// Declares the 3D Tiles of a survey's surface.
#include "engine/io/common/progress.h"
#include "engine/survey/tiles/tile_store.h"

#include <cstdint>
#include <stop_token>
#include <vector>

namespace scanloupe {

struct TilesetOptions {
    /// Number of bricks along a leaf, a power of two. With 32, a leaf with a flat surface has about 130,000
    /// triangles.
    int leafBricks = 32;
    ProgressFunction progress = {};
};

struct TilesetReport {
    int levels = 0;
    std::uint64_t nodes = 0, triangles = 0, bytes = 0; ///< totals over all levels
    double wallMs = 0;
};

/// Writes the surface of finished tiles as 3D Tiles 1.1 into the job's folder: tileset.json, and GLB files in
/// nodes/. Leaves have the surface itself; each level above has half the resolution, by clustering vertices.
/// The files depend only on the surface and not on the tile size. Memory is bounded, since nodes with content
/// from several tiles are stored on the disk. The tileset of an earlier run stays valid until the new one is
/// complete.
/// @throws EngineError if the disk is full, a tile is damaged, there are no triangles, or the folder has a
///     tileset that the job did not write; Cancelled
TilesetReport writeTileset(const TileStore& store, const TilePlan& plan, const std::vector<TileRecord>& tiles,
                           const TilesetOptions& options, const std::stop_token& stop);

} // namespace scanloupe
