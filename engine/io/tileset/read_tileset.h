#pragma once
// Declares the reader of 3D Tiles: the vertices of their meshes as points.
#include "engine/io/common/input_file.h"

#include <memory>
#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether a file begins like the document of a tileset.
bool beginsTileset(std::string_view head);

/// Reads the vertices of the finest meshes. With ReadOptions::subsample or OctreeReading::view, reads the
/// vertices of coarser meshes. Returns null if a subsample would not be faster. @throws EngineError;
/// Cancelled
std::shared_ptr<const PointCloud> readTileset(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop);

} // namespace scanloupe
