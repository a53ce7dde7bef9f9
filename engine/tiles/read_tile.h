#pragma once
// Declares the reading of tiles that were written.
#include "engine/tiles/tile_store.h"

#include <stop_token>

namespace scanloupe {

/// The surface of a tile from its files, relative to the plan's origin; its record names a mesh.
/// @throws EngineError when a file is damaged; Cancelled
TileSurface readTile(const TileStore& store, const TilePlan& plan, const TileRecord& record,
                     const std::stop_token& stop);

} // namespace scanloupe
