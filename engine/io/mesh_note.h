#pragma once
// What readers of meshes tell about faces, of which a cloud of points has none.
#include "engine/cloud/point_cloud.h"

#include <cstdint>

namespace scanloupe {

/// Tells that the vertices of a mesh are shown as points; nothing when the file has no faces. `cut`: the file
/// ends within them.
void noteFaces(PointCloud& cloud, std::uint64_t faces, bool cut);

} // namespace scanloupe
