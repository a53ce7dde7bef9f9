#pragma once
// Declares which parts two meshes have in common.
#include <cstdint>
#include <vector>

namespace scanloupe {

/// Consecutive vertices or triangles of one mesh that are those of another one.
struct SharedRun {
    std::uint32_t before, now, count; ///< the first of each mesh, and how many there are
};

/// The vertices and the triangles that two meshes share, but for their ids; ascending in both.
struct SharedMesh {
    std::vector<SharedRun> vertices, triangles;
};

} // namespace scanloupe
