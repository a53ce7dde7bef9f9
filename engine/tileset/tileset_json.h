#pragma once
// Declares the documents of 3D Tiles 1.1 (Open Geospatial Consortium, 22-025r4).
#include "engine/cloud/point_cloud.h"
#include "engine/tileset/lod_grid.h"

#include <filesystem>
#include <map>
#include <stop_token>

namespace scanloupe {

/// A node that has been written.
struct TilesetNode {
    Bounds box; ///< around its mesh and those below, in the frame of the meshes
    std::uint64_t ownVertices = 0;
    std::uint64_t vertices = 0; ///< of its mesh; 0: all of its triangles have fallen together
};
using TilesetNodes = std::map<LodNode, TilesetNode>;

/// The mesh of a node, relative to the folder of the tileset.
std::filesystem::path meshPathOf(const LodNode& node);
/// Whether a path has the name of a node's mesh or document, or of the folder of a level, below nodes/.
bool isNodePath(const std::filesystem::path& path);

/// Writes tileset.json, and a document more for every few levels, so that none grows with the survey.
/// @param nodes of all levels; at least one @param origin of the meshes' coordinates, the file's frame
/// @throws EngineError; Cancelled
void writeTilesetDocuments(const std::filesystem::path& folder, const TilesetNodes& nodes,
                           const LodGrid& grid, Vec3d origin, const std::stop_token& stop);

} // namespace scanloupe
