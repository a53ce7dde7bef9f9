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

/// The tiles of a document, and of the documents that it refers to.
struct TilesetTree {
    std::vector<DetailNode> nodes; ///< boxes and spacings in the frame outside the root's transform
    std::vector<std::vector<std::filesystem::path>> meshes; ///< [nodes] glTF files of each tile
    std::vector<TileTransform> transforms; ///< [nodes] transforms from the meshes to the frame of `nodes`
    std::vector<std::uint64_t>
        ownVertices; ///< [nodes] number of leading vertices that no other mesh repeats; maximum value: all
    std::uint64_t finestPoints = 0; ///< total number of points of the finest tiles, including tiles of
                                    ///< documents that were not read; 0: unknown
    bool isCut = false;             ///< whether some documents were not read
    std::vector<std::filesystem::path> documents; ///< documents that were read
    std::vector<std::string> warnings;            ///< messages about parts that were left out
};

/// Reads the tree. References that don't lead to files inside the folder of the first document are left out.
/// Links of meshes are not checked; callers must check them by liesWithin(). Vertex counts are exact in
/// documents written by Scanloupe, and estimated in others.
/// @param maxDocuments maximum number of documents to read; documents are read beyond it until the first mesh
/// is found
/// @throws EngineError if a document is not a valid tileset or can't be read, or if no tile is supported;
/// Cancelled
TilesetTree readTilesetTree(const InputFile& file, std::size_t maxDocuments, const std::stop_token& stop);

/// Returns all documents and meshes of a tileset, including `tileset`. Empty if the file is not a tileset or
/// can't be read.
/// @throws Cancelled
std::vector<std::filesystem::path> tilesetFiles(const std::filesystem::path& tileset,
                                                const std::stop_token& stop);

} // namespace scanloupe
