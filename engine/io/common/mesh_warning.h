#pragma once
// Declares the warning of mesh readers about faces, which a point cloud can't hold.
#include "engine/cloud/point_cloud.h"
#include "engine/io/common/input_file.h"

#include <cstdint>
#include <string_view>

namespace scanloupe {

/// Warns that the vertices of a mesh are shown as points, unless the file has no faces. `cut`: the file ends
/// within its faces.
void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut);

/// Whether a warning is the one that the faces are not used.
bool tellsOfUnusedFaces(std::string_view warning);

/// Faces name vertices by their place in the file. @throws EngineError when some of these were left out
void requireAllVertices(const InputFile& file, const PointCloud& vertices, std::uint64_t claimed);

} // namespace scanloupe
