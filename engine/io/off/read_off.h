#pragma once
// Declares the reader of OFF.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"
#include "engine/io/off/off_header.h"

#include <stop_token>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Reads the vertices of an ascii or binary OFF file (Geomview's manual, "OFF Files"), with normals, colours
/// and texture coordinates if present. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readOff(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh. Corners are row indices in the cloud that readOff() returns. @throws
/// EngineError; Cancelled
void readOffFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
