#pragma once
// Declares the reader of 3D Tiles: the vertices of their meshes as points.
#include "engine/io/common/input_file.h"

#include <memory>
#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like the document of a tileset.
bool beginsTileset(std::string_view head);

/// Reads the vertices of the finest meshes; with ReadOptions::subsample or OctreeReading::view, those of
/// coarser meshes. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readTileset(const InputFile& file, const ReadOptions& options,
                                              const std::stop_token& stop);

} // namespace scanloupe
