#pragma once
// Declares the reader of STL.
#include "engine/io/common/face_collector.h"
#include "engine/io/common/input_file.h"

#include <stop_token>
#include <string_view>

namespace scanloupe {

class PointCloud;
struct ReadOptions;

/// True when a file begins as ascii STL, or has exactly the length that the count of a binary one implies.
bool beginsStl(const InputFile& file, std::string_view head);

/// Reads the vertices of an STL file, binary or ascii, and welds them: corners with bitwise equal positions
/// become one point. Where the title names an origin, as Scanloupe writes it, it is added to the points.
/// @throws EngineError; Cancelled
std::shared_ptr<const PointCloud> readStl(const InputFile& file, const ReadOptions& options,
                                          const std::stop_token& stop);

/// The faces of a mesh whose vertices `readStl` gives as points, by their rows. @throws as readStl()
void readStlFaces(const InputFile& file, FaceCollector& faces, const std::stop_token& stop);

} // namespace scanloupe
