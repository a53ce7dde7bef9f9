#pragma once
// Declares the reader of PLY: ascii, little and big endian, any property order and type; lists and other
// elements are skipped.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Whether a file begins like PLY.
bool beginsPly(std::string_view head);

/// Reads the vertices of a PLY file. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPly(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh whose vertices are read by readPly(), with row indices as corners. @throws as
/// readPly()
void readPlyFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
