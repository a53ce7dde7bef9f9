#pragma once
// Declares the reader of glTF 2.0, binary (GLB) or as JSON with its data in separate files.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like GLB.
bool beginsGlb(std::string_view head);

/// Reads the vertices of a glTF 2.0 file, transformed by the nodes of its scene and from y up to z up, with
/// normals, colours (converted from linear to sRGB) and all other attributes. Attributes that a primitive
/// does not have are NaN. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readGlb(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh. Corners are row indices in the cloud that readGlb() returns. @throws
/// EngineError; Cancelled
void readGlbFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
