#pragma once
// Declares the view-frustum culling of chunks, and their order from front to back.
#include "gui/views/geometry/view_geometry.h"
#include "gui/views/scene/camera_frame.h"

#include <QRectF>
#include <span>

namespace scanloupe::gui {

/// View frustum through a rectangle of pixels, bounded by the near plane.
class Frustum {
public:
    /// @param frame relative to the same origin as the boxes to be tested
    Frustum(const CameraFrame& frame, const QRectF& pixels);
    /// Conservative: false only when no part of the box is in the frustum.
    bool intersects(Vec3f low, Vec3f high) const;

private:
    struct Plane {
        Vec3d normal; ///< inwards
        double offset;
    };
    std::array<Plane, 5> m_planes;
};

/// Distance of a point from the bounding box of a chunk, metres.
double distanceTo(const DrawChunk& chunk, Vec3d point);

/// Indices of the chunks that intersect the frustum, those nearest to `eye` first.
std::vector<std::uint32_t> visibleChunks(std::span<const DrawChunk> chunks, const Frustum& frustum,
                                         Vec3d eye);

} // namespace scanloupe::gui
