#pragma once
// Declares how the surface of a tile is shared out among the lowest nodes of an octree.
#include "engine/tiles/tile_surface.h"
#include "engine/tileset/lod_mesh.h"

#include <map>

namespace scanloupe {

/// What a tile adds to nodes of levels 0 and 1. The lattice's tiles and the octree's nodes have borders of
/// their own: a node may get its content from several tiles.
struct TileShare {
    std::map<LodNode, LeafMesh> leaves;
    std::map<LodNode, ClusterMesh> clusters; ///< compact; none where the octree has one level
};

/// @throws Cancelled
TileShare shareOf(const TileSurface& surface, const LodGrid& grid, const std::stop_token& stop);

} // namespace scanloupe
