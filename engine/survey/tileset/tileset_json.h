#pragma once
// Declares the documents of 3D Tiles 1.1 (Open Geospatial Consortium, 22-025r4).
#include "engine/cloud/bounds.h"
#include "engine/survey/tileset/lod_grid.h"
#include "engine/survey/tileset/node_files.h"

#include <filesystem>
#include <map>
#include <stop_token>

namespace scanloupe {

/// A node that was written.
struct TilesetNode {
    Bounds box; ///< bounds of the meshes of the node and its descendants, in the frame of the meshes
    std::uint64_t ownVertices = 0;
    std::uint64_t vertices = 0; ///< number of vertices of its mesh; 0: all triangles are degenerate
    std::filesystem::path mesh; ///< path of its file, relative to the folder of the tileset
};
using TilesetNodes = std::map<LodNode, TilesetNode>;

/// Writes tileset.json. Before that, writes an additional document for every few levels, so that the size of
/// a document does not grow with the survey. @param nodes nodes of all levels, at least one @param files
/// receives the documents
/// @param surface checksum of the surface @param origin of the meshes' coordinates, in the file's frame
/// @throws EngineError; Cancelled
void writeTilesetDocuments(const std::filesystem::path& folder, const TilesetNodes& nodes, NodeFiles& files,
                           const LodGrid& grid, const Sha256Digest& surface, Vec3d origin,
                           const std::stop_token& stop);

} // namespace scanloupe
