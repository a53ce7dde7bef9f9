#pragma once
// Declares the warning of mesh readers about faces, which a point cloud can't hold.
#include "engine/cloud/point_cloud.h"

#include <cstdint>

namespace scanloupe {

/// Warns that the vertices of a mesh are shown as points, unless the file has no faces. `cut`: the file ends
/// within its faces.
void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut);

} // namespace scanloupe
