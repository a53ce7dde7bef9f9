#pragma once
// Declares the reader of Wavefront OBJ.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether all lines of a text begin with keywords of Wavefront OBJ, and at least one line is a
/// vertex.
bool beginsObj(std::string_view head);

/// Reads the vertices of an OBJ file, including colours that follow the coordinates. Normals are included if
/// each vertex has exactly one. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readObj(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh. Corners are row indices in the cloud that readObj() returns. @throws
/// EngineError; Cancelled
void readObjFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
