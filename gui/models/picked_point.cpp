// Finds the scan's point under a pick.
#include "gui/models/picked_point.h"

#include "engine/picture/nearest_point.h"

namespace scanloupe::gui {

std::optional<std::size_t> pickedPoint(const Hit& hit, const Snapshot& s, const std::stop_token& stop) {
    if (!s.cloud || hit.kind == PrimitiveKind::none)
        return std::nullopt;
    if (hit.kind == PrimitiveKind::point) {
        const std::size_t drawn = s.points ? s.points->size() : 0;
        if (hit.index >= drawn)
            return std::nullopt;
        // a preview holds every n-th point of the cloud
        const std::size_t index = hit.index * ((s.cloud->size() + drawn - 1) / drawn);
        return index < s.cloud->size() ? std::optional(index) : std::nullopt;
    }
    if (!s.voxels || !s.resolved.rangeMin || !s.resolved.rangeMax || !isFinite(hit.position))
        return std::nullopt;
    return nearestPoint(*s.cloud, hit.position, norm(s.voxels->shape.voxelSize.as<double>()),
                        {*s.resolved.rangeMin, *s.resolved.rangeMax}, stop);
}

} // namespace scanloupe::gui
