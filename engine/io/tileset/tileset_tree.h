#pragma once
// Declares the tree of a 3D Tiles tileset (Open Geospatial Consortium, 22-025r4, "3D Tiles
// Specification 1.1").
#include "engine/io/common/input_file.h"
#include "engine/io/common/view_detail.h"
#include "engine/io/tileset/tile_volume.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

namespace scanloupe {

/// The tiles of a document, and of the documents that it names.
struct TilesetTree {
    std::vector<DetailNode> nodes; ///< boxes and spacings in the frame of the root's surroundings
    std::vector<std::vector<std::filesystem::path>> meshes; ///< [nodes] glTF of each content
    std::vector<TileTransform> transforms;                  ///< [nodes] transforms of their coordinates
    std::vector<std::uint64_t> ownVertices; ///< [nodes] number of leading vertices that no other mesh has;
                                            ///< the maximum of the type: all
    std::uint64_t finestPoints = 0; ///< total number of points of the finest tiles, including documents that
                                    ///< were not read; 0: unknown
    bool isCut = false;             ///< some documents were not read
    std::vector<std::filesystem::path> documents; ///< the documents that were read
    std::vector<std::string> warnings;            ///< messages about tiles that are left out
};

/// Reads the tree. Names that lead to no file within the folder of the first document are left out; links of
/// meshes are still to be checked by liesWithin(). Vertex counts are those in our own documents, else
/// estimates.
/// @param maxDocuments limits the documents that are read, beyond those above the first mesh
/// @throws EngineError for a document that is no tileset; Cancelled
TilesetTree readTilesetTree(const InputFile& file, std::size_t maxDocuments, const std::stop_token& stop);

/// Returns all documents and meshes that a tileset refers to; empty if the file is not a tileset, or can't be
/// read.
/// @throws Cancelled
std::vector<std::filesystem::path> tilesetFiles(const std::filesystem::path& tileset,
                                                const std::stop_token& stop);

} // namespace scanloupe
