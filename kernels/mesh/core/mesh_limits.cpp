// Checks the sizes of meshes.
#include "kernels/mesh/core/mesh_limits.h"

#include "kernels/core/error.h"
#include "kernels/core/vec3.h"

#include <string>

namespace scanloupe {

void requireIndexable(std::uint64_t vertices, std::uint64_t triangles) {
    if (vertices <= kMaxVertices)
        return;
    const std::uint64_t bytes = vertices * 2 * sizeof(Vec3f) + triangles * 3 * sizeof(std::uint64_t);
    throw KernelError("the surface has " + std::to_string(vertices) + " vertices and " +
                          std::to_string(triangles) + " triangles (" + std::to_string(bytes >> 30) +
                          " GiB); 32-bit indices allow at most " + std::to_string(kMaxVertices) + " vertices",
                      "Use a larger voxel size or a smaller range.");
}

} // namespace scanloupe
