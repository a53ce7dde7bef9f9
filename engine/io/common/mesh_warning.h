#pragma once
// Declares the warning of mesh readers about faces, which a point cloud can't hold.
#include "engine/io/common/input_file.h"

#include <cstdint>
#include <string_view>

namespace scanloupe {

class PointCloud;

/// Warns that the vertices of a mesh are shown as points, unless the file has no faces. `cut`: the file ends
/// within its faces.
void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut);

/// Whether a warning is the one that the faces are not used.
bool tellsOfUnusedFaces(std::string_view warning);

/// Faces refer to vertices by their index in the file. @throws EngineError when some of these were left out
void requireAllVertices(const InputFile& file, const PointCloud& vertices, std::uint64_t claimed);

} // namespace scanloupe
