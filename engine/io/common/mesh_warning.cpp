// Warns that the faces of a mesh file are not used.
#include "engine/io/common/mesh_warning.h"

#include <fmt/format.h>

namespace scanloupe {

void warnOfFaces(PointCloud& cloud, std::uint64_t faces, bool cut) {
    if (faces == 0)
        return;
    cloud.warnings.push_back(fmt::format("Mesh file: its {} {} shown as points, its {} {} not used.",
                                         cloud.size(), cloud.size() == 1 ? "vertex is" : "vertices are",
                                         faces, faces == 1 ? "face is" : "faces are"));
    if (cut)
        cloud.warnings.push_back(
            "The file ends too early: some of its faces are missing, but all of its vertices are there.");
}

} // namespace scanloupe
