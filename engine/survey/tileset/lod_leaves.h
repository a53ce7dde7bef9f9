#pragma once
// Declares how the surface of a tile is distributed among octree nodes of levels 0 and 1.
#include "engine/survey/tiles/tile_surface.h"
#include "engine/survey/tileset/lod_mesh.h"

#include <map>

namespace scanloupe {

/// The contribution of a tile to nodes of levels 0 and 1. Since borders of tiles and of octree nodes don't
/// coincide, a node may have content from several tiles.
struct TileNodes {
    std::map<LodNode, LeafMesh> leaves;
    std::map<LodNode, ClusterMesh> clusters; ///< compacted; empty if the octree has one level
};

/// Computes the contribution of a tile. @throws Cancelled
TileNodes shareOf(const TileSurface& surface, const LodGrid& grid, const std::stop_token& stop);

} // namespace scanloupe
