#pragma once
// Declares the parts that two meshes have in common.
#include <cstdint>
#include <vector>

namespace scanloupe {

/// A run of consecutive vertices or triangles of one mesh that are equal to a run of another mesh.
struct SharedRun {
    std::uint32_t before, now, count; ///< first index in the earlier mesh, first index in the new mesh,
                                      ///< number of elements
};

/// The vertices and triangles that two meshes have in common, apart from vertex indices. Runs are ascending
/// in both meshes.
struct SharedMesh {
    std::vector<SharedRun> vertices, triangles;
};

} // namespace scanloupe
