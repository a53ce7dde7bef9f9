// Finds the scan's point under a pick.
#include "gui/tools/picked_point.h"

#include "engine/cloud/point_cloud.h"
#include "engine/picture/nearest_point.h"
#include "engine/picture/pick.h"
#include "engine/recipe/range_cut.h"
#include "engine/recipe/recipe.h"
#include "engine/results/kernel_points.h"
#include "engine/results/point_attributes.h"
#include "engine/results/snapshot.h"

#include <cmath>

namespace scanloupe::gui {

Vec3i cellAt(const Snapshot& s, Vec3d position) {
    const GridShape& shape = s.voxels->shape;
    const Vec3f at = ((position - s.origin()).as<float>() - shape.origin) / shape.voxelSize;
    return {int(std::floor(at.x)), int(std::floor(at.y)), int(std::floor(at.z))};
}

std::optional<std::size_t> pickedPoint(const Hit& hit, const Snapshot& s, const std::stop_token& stop) {
    if (!s.cloud || hit.kind == PrimitiveKind::none)
        return std::nullopt;
    if (hit.kind == PrimitiveKind::point) {
        const std::size_t drawn = s.points ? s.points->size() : 0;
        if (hit.index >= drawn)
            return std::nullopt;
        // a preview has every n-th point of the cloud
        const std::size_t index = hit.index * ((s.cloud->size() + drawn - 1) / drawn);
        return index < s.cloud->size() ? std::optional(index) : std::nullopt;
    }
    if (!s.voxels || !s.resolved->rangeMin || !s.resolved->rangeMax || !isFinite(hit.position))
        return std::nullopt;
    return nearestPoint(*s.cloud, hit.position, norm(s.voxels->shape.voxelSize.as<double>()),
                        gridBounds(s.resolved), pointCut(s.resolved, s.origin()), stop);
}

Hit hitOfPoint(std::size_t point, const Snapshot& s) {
    Hit hit{PrimitiveKind::point, 0, s.cloud->position(point), nullptr};
    if (!s.voxels)
        return hit;
    if (const auto voxel = voxelInCell(s.shownVoxels, cellAt(s, hit.position))) {
        hit.kind = PrimitiveKind::voxel;
        hit.index = std::uint32_t(*voxel);
    }
    return hit;
}

} // namespace scanloupe::gui
