// Computes the axes and the projection of a camera over a viewport.
#include "gui/views/scene/camera_frame.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {
constexpr double kNearPart = 1e-4; // near plane relative to the distance to the target, as in Projection
// below this the up vector counts as parallel to the view, and cannot orient the picture
constexpr double kParallelSine = 1e-6;
} // namespace

Vec3d rightAxis(Vec3d forward, Vec3d up) {
    for (const Vec3d candidate : {up, Vec3d{0, 0, 1}}) {
        const Vec3d right = cross(forward, candidate);
        if (norm(right) > kParallelSine * norm(candidate))
            return normalized(right);
    }
    return normalized(cross(forward, Vec3d{0, 1, 0}));
}

CameraFrame::CameraFrame(const Camera& camera, QSizeF viewport)
    : eye(camera.eye), centre(viewport.width() / 2, viewport.height() / 2),
      orthographic(camera.orthographic) {
    const Vec3d view = camera.target - camera.eye;
    distance = norm(view);
    forward = distance > 0 ? view / distance : Vec3d{0, 1, 0};
    right = rightAxis(forward, camera.up);
    down = cross(forward, right);
    const double height = std::max(1.0, viewport.height());
    scale = orthographic ? height / camera.orthographicHeight : height / 2 / std::tan(camera.verticalFov / 2);
    nearPlane = camera.nearPlane > 0 ? camera.nearPlane : distance * kNearPart;
}

Vec3d CameraFrame::inView(Vec3d p) const {
    const Vec3d rel = p - eye;
    return {dot(right, rel), dot(down, rel), dot(forward, rel)};
}

QPointF CameraFrame::project(Vec3d p) const {
    const Vec3d v = inView(p);
    const double factor = orthographic ? scale : scale / v.z;
    return centre + QPointF(v.x, v.y) * factor;
}

Vec3d CameraFrame::pointAt(QPointF pixel, double depth) const {
    const QPointF across = (pixel - centre) * metresPerPixel(depth);
    return eye + right * across.x() + down * across.y() + forward * depth;
}

} // namespace scanloupe::gui
