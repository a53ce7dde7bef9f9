#pragma once
// Declares the reader of STL.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// Returns whether a file begins like ascii STL, or has exactly the length that the count of a binary STL
/// header implies.
bool beginsStl(const InputFile& file, std::string_view head);

/// Reads the vertices of a binary or ascii STL file, and welds them: corners with bitwise equal positions
/// become one point. If the title states an origin, as in files written by Scanloupe, the origin is added to
/// the points. @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readStl(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// Reads the faces of a mesh. Corners are row indices in the cloud that readStl() returns. @throws
/// EngineError; Cancelled
void readStlFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
