#pragma once
// Declares the reader of glTF 2.0, binary (GLB) or as JSON with its data in separate files.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// True when a file begins as GLB.
bool beginsGlb(std::string_view head);

/// Reads the vertices of a glTF 2.0 file, transformed by the nodes of its scene and from glTF's y up
/// to z up; with normals, colours (linear in the file, sRGB here) and all further attributes. Attributes that
/// a primitive lacks are NaN. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readGlb(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// The faces of a mesh whose vertices `readGlb` gives as points, by their rows. @throws as readGlb()
void readGlbFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
