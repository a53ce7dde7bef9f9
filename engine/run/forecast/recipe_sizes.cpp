// Returns keys that distinguish fields by voxel size and radius.
#include "engine/run/forecast/recipe_sizes.h"

#include "engine/recipe/recipe.h"
#include "kernels/field/core/scalar_field.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

double meanEdge(const Recipe& resolved) {
    const Vec3d size = *resolved.voxelSize;
    return std::cbrt(size.x * size.y * size.z);
}

std::string surfaceKey(const Recipe& resolved) {
    const Vec3d edges = *resolved.voxelSize;
    const double longest = std::max({edges.x, edges.y, edges.z}),
                 shortest = std::min({edges.x, edges.y, edges.z});
    const std::string shape = longest > 1.3 * shortest ? " of flat voxels" : "";
    switch (*resolved.field) {
    case FieldKind::occupancy: // a radius of up to one edge reaches no other voxel
        return (*resolved.radius > longest ? "smoothed" : "occupancy") + shape;
    case FieldKind::density:
        return (resolved.iso ? "given density" : "density") + shape;
    case FieldKind::signedDistance:
    case FieldKind::volume:
        break;
    }
    return "distance" + shape;
}

BrickReach reachOf(const Recipe& resolved) {
    BrickReach reach;
    const bool corners = resolved.field == FieldKind::signedDistance;
    reach.shift = corners ? 0 : 1;
    for (int axis = 0; axis < 3; ++axis) {
        const double edge = (*resolved.voxelSize)[axis];
        double nodes = 0;
        if (resolved.field == FieldKind::density)
            nodes = std::ceil(std::max(*resolved.radius / edge, 1.0) + 0.5) - 1;
        else if (resolved.field == FieldKind::occupancy && *resolved.radius > 0)
            nodes = std::ceil(*resolved.radius / edge) - 1;
        reach.nodes[axis] = std::clamp(int(nodes), 0, kBrickEdge - 1) + 1;
    }
    return reach;
}

} // namespace scanloupe
