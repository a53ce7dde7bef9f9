#pragma once
// Declares the warning of mesh readers that faces are not used in a point cloud.
#include "engine/io/common/input_file.h"

#include <cstdint>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// Adds the warning that the vertices of a mesh are shown as points, unless the file has no faces. @param cut
/// whether the file ends within its faces
void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut);

/// Returns whether a warning was added by warnOfFaces().
bool tellsOfUnusedFaces(std::string_view warning);

/// Requires that no vertices were left out, since faces refer to vertices by their index in the file. @throws
/// EngineError otherwise
void requireAllVertices(const InputFile& file, const PointCloud& vertices, std::uint64_t claimed);

} // namespace scanloupe
