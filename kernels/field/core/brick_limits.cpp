// Counts the bricks that cover a lattice, and checks that they can be indexed.
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/scalar_field.h"

#include <string>

namespace scanloupe {

Vec3i coveringBricks(Vec3i nodes) {
    const auto cover = [](std::int32_t n) { return (n - 1) / kBrickEdge + 1; };
    return {cover(nodes.x), cover(nodes.y), cover(nodes.z)};
}

void requireIndexableBricks(std::size_t bricks) {
    if (bricks >= kNoBrick)
        throw KernelError("the field would have " + std::to_string(bricks) +
                              " bricks; 32-bit indices allow fewer",
                          "Use a larger voxel size or a smaller range.");
}

} // namespace scanloupe
