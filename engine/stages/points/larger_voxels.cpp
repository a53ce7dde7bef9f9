// Suggests a voxel size with which a stage would fit in memory.
#include "engine/stages/points/larger_voxels.h"

#include "engine/recipe/recipe.h"

#include <algorithm>
#include <fmt/format.h>

namespace scanloupe {

std::string takeLargerVoxels(const Recipe& resolved, double factor) {
    const Vec3d size = *resolved.voxelSize;
    return fmt::format("Use a voxel size of at least {:.2g} (--voxel-size), or a smaller range (--range).",
                       std::min({size.x, size.y, size.z}) * factor);
}

std::string voxelSizeText(const Recipe& resolved) {
    const Vec3d size = *resolved.voxelSize;
    return size.x == size.y && size.y == size.z ? fmt::format("{:g}", size.x)
                                                : fmt::format("{:g} x {:g} x {:g}", size.x, size.y, size.z);
}

} // namespace scanloupe
