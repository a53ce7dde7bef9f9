// Finds the piece of a line whose projection is nearest to the cursor.
#include "gui/tools/section_snap.h"

#include "gui/views/scene/camera_frame.h"
#include "kernels/core/rigid_transform.h"

#include <algorithm>
#include <cmath>

namespace scanloupe::gui {

namespace {

constexpr double kNearPixels = 9, kPerpendicularPixels = 14;

double dot(QPointF a, QPointF b) {
    return QPointF::dotProduct(a, b);
}
double squaredLength(QPointF a) {
    return dot(a, a);
}

/// A piece of a line in front of the eye.
struct Piece {
    Vec3d a, b;          ///< file's frame
    double nearA, nearB; ///< metres from the eye along the view
    QPointF onA, onB;    ///< pixels

    /// The point of the piece that appears nearest to a pixel, as a fraction of the way from a to b in space.
    double nearestTo(QPointF pixel, bool orthographic) const {
        const QPointF way = onB - onA;
        const double length = squaredLength(way);
        const double seen = length > 0 ? std::clamp(dot(pixel - onA, way) / length, 0.0, 1.0) : 0;
        if (orthographic)
            return seen;
        // perspective: the point seen half way between two others is nearer to the closer one
        return seen * nearA / (seen * nearA + (1 - seen) * nearB);
    }
    Vec3d at(double part) const { return a + part * (b - a); }
};

} // namespace

std::optional<SnappedPoint> snapToLines(const SectionLines& lines, Vec3d origin, QPointF pixel,
                                        const LinkedCamera& camera, QSizeF viewport,
                                        const std::optional<Vec3d>& from) {
    const CameraFrame frame(camera.camera(), viewport);
    std::optional<SnappedPoint> nearest, foot;
    double nearestAway = kNearPixels * kNearPixels, footAway = kPerpendicularPixels * kPerpendicularPixels;
    const auto look = [&](const Piece& piece) {
        const Vec3d seen = piece.at(piece.nearestTo(pixel, frame.orthographic));
        const double away = squaredLength(frame.project(seen) - pixel);
        if (away < nearestAway) {
            nearestAway = away;
            nearest = SnappedPoint{seen, false};
        }
        const Vec3d way = piece.b - piece.a;
        const double length = scanloupe::dot(way, way);
        if (!from || !(length > 0))
            return;
        const double part = scanloupe::dot(*from - piece.a, way) / length;
        // the previous point lies on this piece itself
        if (part < 0 || part > 1 || norm(piece.at(part) - *from) < 1e-6)
            return;
        if (const double footIs = squaredLength(frame.project(piece.at(part)) - pixel); footIs < footAway) {
            footAway = footIs;
            foot = SnappedPoint{piece.at(part), true};
        }
    };
    for (const Polyline& line : lines.lines) {
        const std::size_t count = line.points.size();
        for (std::size_t i = 0; i + (line.isClosed ? 0 : 1) < count; ++i) {
            Piece piece{line.points[i].as<double>() + origin,
                        line.points[(i + 1) % count].as<double>() + origin,
                        0,
                        0,
                        {},
                        {}};
            piece.nearA = frame.inView(piece.a).z;
            piece.nearB = frame.inView(piece.b).z;
            if (!(std::min(piece.nearA, piece.nearB) > frame.nearPlane) && !frame.orthographic)
                continue;
            piece.onA = frame.project(piece.a);
            piece.onB = frame.project(piece.b);
            look(piece);
        }
    }
    return foot ? foot : nearest;
}

} // namespace scanloupe::gui
