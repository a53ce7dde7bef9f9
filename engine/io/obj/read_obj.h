#pragma once
// Declares the reader of Wavefront OBJ.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// True when all lines of a text begin with keywords of Wavefront OBJ and one of them is a vertex.
bool beginsObj(std::string_view head);

/// Reads the vertices of an OBJ file, with the colours that follow their coordinates, and with normals where
/// each vertex has exactly one. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readObj(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// The faces of a mesh whose vertices `readObj` gives as points, by their rows. @throws as readObj()
void readObjFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
