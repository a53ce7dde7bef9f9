#pragma once
// Declares the reading of a tile from a TileStore.
#include "engine/survey/tiles/tile_store.h"

#include <stop_token>

namespace scanloupe {

/// Reads the surface of a tile from its files, with coordinates relative to the plan's origin. @param record
/// must have a mesh
/// @throws EngineError if a file is damaged; Cancelled
TileSurface readTile(const TileStore& store, const TilePlan& plan, const TileRecord& record,
                     const std::stop_token& stop);

} // namespace scanloupe
