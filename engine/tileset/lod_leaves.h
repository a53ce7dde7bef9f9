#pragma once
// Declares how the surface of a tile is shared out among the lowest nodes of an octree.
#include "engine/tiles/tile_surface.h"
#include "engine/tileset/lod_mesh.h"

#include <map>

namespace scanloupe {

/// Contribution of a tile to nodes of levels 0 and 1. Borders of the lattice's tiles and of the octree's
/// nodes don't coincide: a node may get its content from several tiles.
struct TileShare {
    std::map<LodNode, LeafMesh> leaves;
    std::map<LodNode, ClusterMesh> clusters; ///< compact; empty where the octree has one level
};

/// @throws Cancelled
TileShare shareOf(const TileSurface& surface, const LodGrid& grid, const std::stop_token& stop);

} // namespace scanloupe
