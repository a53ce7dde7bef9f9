#pragma once
// Declares the common parts of two meshes.
#include <cstdint>
#include <vector>

namespace scanloupe {

/// Consecutive vertices or triangles of one mesh that equal those of another one.
struct SharedRun {
    std::uint32_t before, now, count; ///< first index in each mesh, and count
};

/// The vertices and the triangles that two meshes share, except for their ids; ascending in both.
struct SharedMesh {
    std::vector<SharedRun> vertices, triangles;
};

} // namespace scanloupe
