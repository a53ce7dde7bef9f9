#pragma once
// Declares the reader of PLY: ascii, little and big endian, any property order and type; lists and other
// elements are skipped.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"
#include "engine/io/common/read_options.h"

#include <string_view>

namespace scanloupe {

/// True when a file begins as PLY.
bool beginsPly(std::string_view head);

/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readPly(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// The faces of a mesh whose vertices `readPly` gives as points, by their rows. @throws as it
void readPlyFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
