// Moves the camera that all views share: fit, standard views, orbit, pan and zoom.
#include "gui/views/linked_camera.h"

#include "engine/picture/view.h"
#include "engine/recipe/recipe.h"
#include "gui/views/scene/camera_frame.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace scanloupe::gui {

namespace {

constexpr double kMargin = 1.05;      // factor of the fitted half width and height, as in Camera::fit
constexpr double kNearest = 1e-4;     // minimum distance when zooming, relative to the bounds' radius
constexpr double kFarthest = 1e3;     // maximum distance when zooming, relative to the bounds' radius
constexpr double kPoleSine = 0.99999; // beyond this the view is vertical, and `up` is taken from the picture

ViewPreset presetOf(StandardView view) {
    switch (view) {
    case StandardView::top:
        return ViewPreset::top;
    case StandardView::bottom:
        return ViewPreset::bottom;
    case StandardView::front:
        return ViewPreset::front;
    case StandardView::back:
        return ViewPreset::back;
    case StandardView::left:
        return ViewPreset::left;
    case StandardView::right:
        return ViewPreset::right;
    case StandardView::oblique:
        break;
    }
    return ViewPreset::oblique;
}

/// Orbit axis: `up`, or the camera's own up vector where that is another coordinate axis, as with depth
/// cameras. A plan view needs another up vector, which does not determine the axis.
UpAxis orbitAxisOf(const Camera& camera, UpAxis up) {
    const Vec3d own = normalized(camera.up), forward = normalized(camera.target - camera.eye);
    const Vec3d vertical = upVector(up);
    const bool plan = std::abs(dot(forward, vertical)) > kPoleSine && dot(own, fromZUp({0, 1, 0}, up)) > 0;
    for (int axis = 0; axis < 3 && !plan; ++axis)
        if (std::abs(own[axis]) > 1 - 1e-9)
            return UpAxis(2 * axis + (own[axis] > 0 ? 0 : 1));
    return up;
}

/// Rotates `v` about the unit vector `axis` (Rodrigues' rotation formula).
Vec3d rotated(Vec3d v, Vec3d axis, double angle) {
    const double c = std::cos(angle), s = std::sin(angle);
    return v * c + cross(axis, v) * s + axis * (dot(axis, v) * (1 - c));
}

} // namespace

LinkedCamera::LinkedCamera(QObject* parent) : QObject(parent), m_bounds{{-1, -1, -1}, {1, 1, 1}} {
    show(StandardView::oblique, 1);
}

void LinkedCamera::change(const Camera& camera) {
    if (camera == m_camera)
        return;
    m_camera = camera;
    emit changed();
}

double LinkedCamera::radius() const {
    const Vec3d middle = (m_bounds.min + m_bounds.max) * 0.5;
    return std::max({norm(m_bounds.max - m_bounds.min) / 2, norm(middle) * 1e-5, 1e-6});
}

void LinkedCamera::setCamera(const Camera& camera) {
    m_orbitAxis = orbitAxisOf(camera, m_up);
    change(camera);
}

void LinkedCamera::setUp(UpAxis up) {
    m_up = up;
    m_orbitAxis = orbitAxisOf(m_camera, up);
}

void LinkedCamera::rotateToUp(UpAxis up) {
    if (up == m_up)
        return;
    m_up = up;
    // the new up axis may be that of a depth camera, whose picture then stays unchanged
    const UpAxis before = std::exchange(m_orbitAxis, up);
    if (before == up)
        return;
    const auto follow = [&](Vec3d v) { return fromZUp(toZUp(v, before), up); };
    Camera camera = m_camera;
    camera.eye = camera.target + follow(camera.eye - camera.target);
    camera.up = follow(camera.up);
    if (camera.orthographic)
        moveEyeOutOfBounds(camera);
    change(camera);
}

void LinkedCamera::setBounds(const Bounds& bounds) {
    if (isFinite(bounds.min) && isFinite(bounds.max))
        m_bounds = bounds;
}

void LinkedCamera::moveEyeOutOfBounds(Camera& camera) const {
    const CameraFrame frame(camera, {1, 1});
    const Vec3d middle = (m_bounds.min + m_bounds.max) * 0.5;
    const double distance = std::max(dot(camera.target - middle, frame.forward), 0.0) + 2 * radius();
    camera.eye = camera.target - frame.forward * distance;
}

void LinkedCamera::fit(double aspect) {
    Camera camera = m_camera;
    const CameraFrame frame(camera, {1, 1});
    const Vec3d middle = (m_bounds.min + m_bounds.max) * 0.5, half = (m_bounds.max - m_bounds.min) * 0.5;
    const double ratio = aspect > 0 && std::isfinite(aspect) ? aspect : 1;
    const double tangentY = std::tan(camera.verticalFov / 2), tangentX = tangentY * ratio;
    double distance = radius() * 0.1, height = radius() * 0.1;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3d offset{corner & 1 ? half.x : -half.x, corner & 2 ? half.y : -half.y,
                           corner & 4 ? half.z : -half.z};
        const double x = std::abs(dot(offset, frame.right)) * kMargin,
                     y = std::abs(dot(offset, frame.down)) * kMargin;
        distance = std::max(distance, std::max(x / tangentX, y / tangentY) - dot(offset, frame.forward));
        height = std::max({height, 2 * y, 2 * x / ratio});
    }
    camera.target = middle;
    camera.eye = middle - frame.forward * distance;
    camera.orthographicHeight = height;
    camera.nearPlane = 0;
    if (m_framing)
        camera = m_framing(camera, ratio);
    if (camera.orthographic)
        moveEyeOutOfBounds(camera);
    change(camera);
}

void LinkedCamera::show(StandardView view, double aspect) {
    Recipe recipe;
    recipe.view = presetOf(view);
    recipe.up = m_up;
    Camera camera = cameraFor(recipe, {m_bounds, {}, {}, nullptr});
    camera.orthographic = m_camera.orthographic;
    camera.verticalFov = m_camera.verticalFov;
    m_orbitAxis = m_up;
    const Camera before = m_camera;
    {
        const QSignalBlocker quiet(this); // emits one signal for the whole move
        m_camera = camera;
        fit(aspect);
    }
    if (m_camera != before)
        emit changed();
}

void LinkedCamera::setOrthographic(bool orthographic) {
    if (orthographic == m_camera.orthographic)
        return;
    Camera camera = m_camera;
    const CameraFrame frame(camera, {1, 1});
    const double tangent = std::tan(camera.verticalFov / 2);
    camera.orthographic = orthographic;
    camera.nearPlane = 0;
    if (orthographic) {
        camera.orthographicHeight = 2 * frame.distance * tangent;
        moveEyeOutOfBounds(camera);
    } else {
        camera.eye = camera.target - frame.forward * (camera.orthographicHeight / 2 / tangent);
    }
    change(camera);
}

void LinkedCamera::orbit(Vec3d pivot, QPointF drag, QSizeF viewport) {
    if (viewport.isEmpty())
        return;
    constexpr double pi = std::numbers::pi;
    const CameraFrame old(m_camera, viewport);
    const Vec3d seen = old.inView(pivot), vertical = upVector(m_orbitAxis);
    const double yaw = -pi * drag.x() / viewport.width(), pitch = -pi * drag.y() / viewport.height();

    // a level right axis and the elevation of the view over the horizon describe every orientation without a
    // flip
    Vec3d level = old.right - vertical * dot(old.right, vertical);
    level = norm(level) > 1e-6 ? normalized(level) : rightAxis(old.forward, vertical);
    const Vec3d ahead = cross(vertical, level);
    // more than a right angle for a sensor's view that has passed a pole
    const double before = std::atan2(dot(old.forward, vertical), dot(old.forward, ahead));
    const double elevation = std::clamp(std::clamp(before, -pi / 2, pi / 2) + pitch, -pi / 2, pi / 2);
    const Vec3d right = rotated(level, vertical, yaw), heading = rotated(ahead, vertical, yaw);
    const Vec3d forward = normalized(heading * std::cos(elevation) + vertical * std::sin(elevation));
    const Vec3d down = cross(forward, right);

    Camera camera = m_camera;
    camera.eye = pivot - right * seen.x - down * seen.y - forward * seen.z;
    camera.target = camera.eye + forward * old.distance;
    camera.up = std::abs(std::sin(elevation)) < kPoleSine ? vertical : -down;
    if (camera.orthographic)
        moveEyeOutOfBounds(camera);
    change(camera);
}

void LinkedCamera::pan(Vec3d anchor, QPointF drag, QSizeF viewport) {
    const CameraFrame frame(m_camera, viewport);
    const double depth = frame.inView(anchor).z;
    const double metres = frame.metresPerPixel(depth > 0 ? depth : frame.distance);
    const Vec3d move = (frame.right * -drag.x() + frame.down * -drag.y()) * metres;
    Camera camera = m_camera;
    camera.eye += move;
    camera.target += move;
    change(camera);
}

void LinkedCamera::centreOn(Vec3d point) {
    Camera camera = m_camera;
    camera.eye += point - camera.target;
    camera.target = point;
    if (camera.orthographic)
        moveEyeOutOfBounds(camera);
    change(camera);
}

void LinkedCamera::zoom(Vec3d anchor, double factor) {
    if (!(factor > 0) || !std::isfinite(factor))
        return;
    Camera camera = m_camera;
    const CameraFrame frame(camera, {1, 1});
    const double nearest = kNearest * radius(), farthest = kFarthest * radius();
    if (camera.orthographic) {
        const double height = std::clamp(camera.orthographicHeight * factor, nearest, farthest);
        const Vec3d away = anchor - camera.target;
        const Vec3d across = away - frame.forward * dot(away, frame.forward);
        const Vec3d move = across * (1 - height / camera.orthographicHeight);
        camera.eye += move;
        camera.target += move;
        camera.orthographicHeight = height;
        moveEyeOutOfBounds(camera);
    } else {
        // the anchor's depth becomes that of the target, so that zooming to an object makes it the target
        const double depth = frame.inView(anchor).z;
        const double before = depth > 0 ? depth : frame.distance;
        const double after =
            std::clamp(before * factor, std::min(before, nearest), std::max(before, farthest));
        camera.eye = anchor + (camera.eye - anchor) * (after / before);
        camera.target = camera.eye + frame.forward * after;
    }
    change(camera);
}

LinkedCamera::Ray LinkedCamera::rayThrough(QPointF pixel, QSizeF viewport) const {
    const CameraFrame frame(m_camera, viewport);
    if (frame.orthographic)
        return {frame.pointAt(pixel, 0), frame.forward};
    return {frame.eye, normalized(frame.pointAt(pixel, 1) - frame.eye)};
}

Vec3d LinkedCamera::pointAtTargetDepth(QPointF pixel, QSizeF viewport) const {
    const CameraFrame frame(m_camera, viewport);
    return frame.pointAt(pixel, frame.distance);
}

void LinkedCamera::beginMove() {
    if (m_moving)
        return;
    m_moving = true;
    emit movingChanged(true);
}

void LinkedCamera::endMove() {
    if (!m_moving)
        return;
    m_moving = false;
    emit movingChanged(false);
}

} // namespace scanloupe::gui
