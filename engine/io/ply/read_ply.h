#pragma once
// Declares the reader of PLY: ascii, little and big endian, with properties of any order and type. Lists and
// other elements are skipped.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether a file begins like PLY.
bool beginsPly(std::string_view head);

/// Reads the vertices of a PLY file. Returns null if ReadOptions::subsample is set, but a subsample is not
/// possible or would not be faster. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPly(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh. Corners are row indices in the cloud that readPly() returns. @throws
/// EngineError; Cancelled
void readPlyFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
