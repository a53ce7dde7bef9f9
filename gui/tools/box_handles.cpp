// Finds, drags and draws the handles of a box.
#include "gui/tools/box_handles.h"

#include "gui/views/scene/camera_frame.h"
#include "kernels/cut/point_cut.h"

#include <QLineF>
#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr double kReach = 11, kEdgeReach = 6; // pixels from the cursor to a handle
// distance of the turn handle from the middle, relative to half the box's extent
constexpr double kTurnBeyond = 1.15;

std::vector<BoxHandle> pointHandles(const BoxHandles& allowed) {
    std::vector<BoxHandle> handles;
    if (allowed.edges)
        for (const int x : {-1, 1})
            for (const int y : {-1, 1})
                for (const int z : {-1, 1})
                    handles.push_back({{x, y, z}});
    for (int axis = 0; axis < 3; ++axis)
        for (const int side : {-1, 1})
            if (allowed.axes[std::size_t(axis)]) {
                BoxHandle face;
                face.side[std::size_t(axis)] = side;
                handles.push_back(face);
            }
    handles.push_back({}); // the handle in the middle
    if (allowed.turnAxis)
        handles.push_back({{}, true});
    return handles;
}

Vec3d cornerOf(const HandleBox& box, int x, int y, int z) {
    return box.at(
        {x < 0 ? box.low.x : box.high.x, y < 0 ? box.low.y : box.high.y, z < 0 ? box.low.z : box.high.z});
}

struct Edge {
    BoxHandle handle;
    Vec3d from, to;
};

std::vector<Edge> edgesOf(const HandleBox& box) {
    std::vector<Edge> edges;
    for (int along = 0; along < 3; ++along)
        for (const int a : {-1, 1})
            for (const int b : {-1, 1}) {
                Edge edge;
                edge.handle.side[std::size_t((along + 1) % 3)] = a;
                edge.handle.side[std::size_t((along + 2) % 3)] = b;
                std::array<int, 3> corner = edge.handle.side;
                corner[std::size_t(along)] = -1;
                edge.from = cornerOf(box, corner[0], corner[1], corner[2]);
                corner[std::size_t(along)] = 1;
                edge.to = cornerOf(box, corner[0], corner[1], corner[2]);
                edges.push_back(edge);
            }
    return edges;
}

/// The pixel of a point; none behind the camera.
std::optional<QPointF> pixelOf(const CameraFrame& frame, Vec3d place) {
    if (frame.inView(place).z <= frame.nearPlane)
        return std::nullopt;
    return frame.project(place);
}

double distanceToLine(QPointF p, QPointF a, QPointF b) {
    const QPointF along = b - a;
    const double squared = QPointF::dotProduct(along, along);
    const double t = squared > 0 ? std::clamp(QPointF::dotProduct(p - a, along) / squared, 0.0, 1.0) : 0;
    return QLineF(p, a + along * t).length();
}

/// The parameter of the point of a line that is nearest to a ray; none if the line points at the eye.
std::optional<double> alongLine(Vec3d from, Vec3d direction, const LinkedCamera::Ray& ray) {
    const double between = dot(direction, ray.direction);
    const double sine = 1 - between * between;
    if (sine < 1e-4) // the line points at the eye: a pixel would move the handle a hundred times as far
        return std::nullopt;
    const Vec3d away = from - ray.origin;
    return (between * dot(ray.direction, away) - dot(direction, away)) / sine;
}

std::optional<Vec3d> onPlane(Vec3d at, Vec3d normal, const LinkedCamera::Ray& ray) {
    const double towards = dot(normal, ray.direction);
    if (std::abs(towards) < 0.02) // the plane of the drag is seen edge-on
        return std::nullopt;
    const double t = dot(normal, at - ray.origin) / towards;
    return t > 0 ? std::optional(ray.origin + ray.direction * t) : std::nullopt;
}

/// The position of a handle at `from` for the ray of a pixel.
std::optional<Vec3d> draggedTo(const HandleBox& box, const BoxHandle& handle, const BoxHandles& allowed,
                               Vec3d from, const LinkedCamera::Ray& ray, const CameraFrame& frame) {
    if (handle.isTurn)
        return onPlane(from, box.axes[std::size_t(*allowed.turnAxis)], ray);
    std::vector<Vec3d> free;
    for (std::size_t axis = 0; axis < 3; ++axis)
        if (handle.sides() == 0 ? allowed.axes[axis] : handle.side[axis] != 0)
            free.push_back(box.axes[axis]);
    if (free.size() == 1) {
        const auto t = alongLine(from, free[0], ray);
        return t ? std::optional(from + free[0] * *t) : std::nullopt;
    }
    return onPlane(from, free.size() == 2 ? cross(free[0], free[1]) : frame.forward, ray);
}

/// Rounds a value to multiples of a power of ten of about the size of `step`.
double roundedTo(double value, double step) {
    const double unit = std::pow(10.0, std::floor(std::log10(step)));
    return std::isfinite(unit) && unit > 0 ? std::round(value / unit) * unit : value;
}

} // namespace

Vec3d placeOf(const HandleBox& box, const BoxHandle& handle, const BoxHandles& allowed) {
    const Vec3d middle = 0.5 * (box.low + box.high);
    Vec3d place = middle;
    if (handle.isTurn) {
        const int across = (*allowed.turnAxis + 1) % 3;
        place[across] += kTurnBeyond * (box.high[across] - middle[across]);
        return box.at(place);
    }
    for (int axis = 0; axis < 3; ++axis) {
        const int side = handle.side[std::size_t(axis)];
        if (side != 0)
            place[axis] = side < 0 ? box.low[axis] : box.high[axis];
    }
    return box.at(place);
}

std::optional<BoxHandle> handleAt(const HandleBox& box, const BoxHandles& allowed, QPointF pixel,
                                  const LinkedCamera& camera, QSizeF viewport) {
    const CameraFrame frame(camera.camera(), viewport);
    std::optional<BoxHandle> nearest;
    double best = kReach;
    for (const BoxHandle& handle : pointHandles(allowed)) {
        const auto at = pixelOf(frame, placeOf(box, handle, allowed));
        const double away = at ? QLineF(pixel, *at).length() : best;
        if (away < best) {
            best = away;
            nearest = handle;
        }
    }
    if (nearest || !allowed.edges)
        return nearest;
    best = kEdgeReach;
    for (const Edge& edge : edgesOf(box)) {
        const auto a = pixelOf(frame, edge.from), b = pixelOf(frame, edge.to);
        const double away = a && b ? distanceToLine(pixel, *a, *b) : best;
        if (away < best) {
            best = away;
            nearest = edge.handle;
        }
    }
    return nearest;
}

std::optional<DraggedBox> dragged(const HandleBox& box, const BoxHandle& handle, const BoxHandles& allowed,
                                  QPointF pixel, double least, const LinkedCamera& camera, QSizeF viewport) {
    const CameraFrame frame(camera.camera(), viewport);
    const Vec3d from = placeOf(box, handle, allowed);
    const auto to = draggedTo(box, handle, allowed, from, camera.rayThrough(pixel, viewport), frame);
    if (!to || !isFinite(*to))
        return std::nullopt;
    DraggedBox result{box, 0};
    if (handle.isTurn) {
        const Vec3d axis = box.axes[std::size_t(*allowed.turnAxis)], middle = box.middle();
        const auto flat = [&](Vec3d v) { return v - axis * dot(axis, v); };
        const Vec3d before = flat(from - middle), after = flat(*to - middle);
        result.turned = std::atan2(dot(axis, cross(before, after)), dot(before, after));
        return result;
    }
    const double step = frame.metresPerPixel(std::max(frame.inView(*to).z, frame.nearPlane));
    for (int axis = 0; axis < 3; ++axis) {
        const double moved = dot(box.axes[std::size_t(axis)], *to - from);
        const int side = handle.side[std::size_t(axis)];
        double &low = result.box.low[axis], &high = result.box.high[axis];
        if (handle.sides() == 0 && allowed.axes[std::size_t(axis)]) {
            const double extent = high - low;
            low = roundedTo(low + moved, step);
            high = low + extent;
        } else if (side < 0) {
            low = std::min(roundedTo(low + moved, step), high - least);
        } else if (side > 0) {
            high = std::max(roundedTo(high + moved, step), low + least);
        }
    }
    return result;
}

std::vector<SceneMark> boxMarks(const HandleBox& box, const BoxHandles& allowed, const QColor& colour,
                                const std::optional<BoxHandle>& active) {
    SceneMark outline;
    outline.colour = colour;
    for (const Edge& edge : edgesOf(box))
        outline.lines.push_back({edge.from, edge.to});
    if (allowed.turnAxis)
        outline.dashedLines.push_back({box.middle(), placeOf(box, {{}, true}, allowed)});
    for (const BoxHandle& handle : pointHandles(allowed))
        outline.markers.push_back(placeOf(box, handle, allowed));
    std::vector<SceneMark> marks{std::move(outline)};
    if (!active)
        return marks;
    SceneMark held;
    held.colour = Qt::white;
    held.markers.push_back(placeOf(box, *active, allowed));
    for (const Edge& edge : edgesOf(box)) // edges that move with the handle
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (active->side[axis] != 0 && edge.handle.side[axis] == active->side[axis] &&
                (active->sides() != 2 || edge.handle == *active)) {
                held.lines.push_back({edge.from, edge.to});
                break;
            }
    held.ring = true;
    marks.push_back(std::move(held));
    return marks;
}

} // namespace scanloupe::gui
