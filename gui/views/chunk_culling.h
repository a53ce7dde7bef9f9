#pragma once
// Which chunks a view shows, nearest first.
#include "gui/views/camera_frame.h"
#include "gui/views/view_geometry.h"

#include <QRectF>
#include <span>

namespace scanloupe::gui {

/// The space behind a rectangle of pixels, before the near plane cut off.
class Frustum {
public:
    /// `frame` is relative to the same origin as what is tested.
    Frustum(const CameraFrame& frame, const QRectF& pixels);
    /// False only when nothing of the box is in the frustum.
    bool intersects(Vec3f low, Vec3f high) const;

private:
    struct Plane {
        Vec3d normal; ///< inwards
        double offset;
    };
    std::array<Plane, 5> m_planes;
};

/// How near to a point a chunk can reach, metres.
double distanceTo(const DrawChunk& chunk, Vec3d point);

/// Indices of the chunks that the frustum meets, from `eye` outwards.
std::vector<std::uint32_t> visibleChunks(std::span<const DrawChunk> chunks, const Frustum& frustum,
                                         Vec3d eye);

} // namespace scanloupe::gui
