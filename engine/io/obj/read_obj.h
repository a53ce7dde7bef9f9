#pragma once
// Declares the reader of Wavefront OBJ.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether all lines of a text begin with keywords of Wavefront OBJ, and at least one is a vertex.
bool beginsObj(std::string_view head);

/// Reads the vertices of an OBJ file, with colours after the coordinates, and with normals if each vertex has
/// exactly one. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readObj(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh whose vertices are read by readObj(), with row indices as corners. @throws as
/// readObj()
void readObjFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
