// Defines the table of measure kinds, with the evaluation and the drawing of each kind.
#include "engine/inspect/measure/measure_kind.h"
#include "engine/inspect/measure/polygon_values.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace scanloupe {

namespace {

using Points = std::vector<Vec3d>;
using V = MeasureValues;

constexpr std::size_t kMaxCorners = 1000; // limit, because the test for crossing edges compares all pairs

Vec3d meanOf(const Points& points) {
    Vec3d mean;
    for (const Vec3d& point : points)
        mean += point / double(points.size());
    return mean;
}

void noValues(V&, const Points&, Vec3d) {}

MeasureDrawing drawPoint(const Points& points, Vec3d) {
    return {{}, {}, {}, points[0]};
}

void addDistance(V& values, const Points& points, Vec3d up) {
    const Vec3d way = points[1];
    values.height = dot(way, up);
    values.distance = norm(way);
    values.horizontal = norm(way - up * values.height);
}

MeasureDrawing drawDistance(const Points& points, Vec3d) {
    return {{points}, {}, {}, meanOf(points)};
}

void addHeight(V& values, const Points& points, Vec3d up) {
    values.height = dot(points[1], up);
}

/// Draws a vertical line from the first point to the height of the second point, and a dashed line from there
/// to the second point.
MeasureDrawing drawHeight(const Points& points, Vec3d up) {
    const Vec3d corner = points[0] + up * dot(points[1] - points[0], up);
    return {{{points[0], corner}}, {{corner, points[1]}}, {}, meanOf({points[0], corner})};
}

/// Returns the angle between two vectors, degrees, accurate for small and for flat angles; NaN if a vector is
/// zero.
double angleBetween(Vec3d a, Vec3d b) {
    if (!(norm(a) > 0 && norm(b) > 0))
        return V::kNone;
    return std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

void addAngle(V& values, const Points& points, Vec3d) {
    values.angle = angleBetween(points[0] - points[1], points[2] - points[1]);
}

MeasureDrawing drawAngle(const Points& points, Vec3d) {
    return {{points}, {}, {}, points[1]};
}

void addArea(V& values, const Points& corners, Vec3d) {
    addPolygon(values, corners);
}

MeasureDrawing drawArea(const Points& corners, Vec3d) {
    Points outline = corners;
    outline.push_back(corners.front());
    return {{outline}, {}, corners, meanOf(corners)};
}

/// A circle in space, relative to its centre.
struct Circle {
    Vec3d centre;
    Vec3d toFirst, across; ///< two radius vectors, perpendicular to each other
};

/// Returns the circle through three points; none if they are on a line, within rounding.
std::optional<Circle> circleThrough(const Points& points) {
    constexpr double kVanishing = 1e-12; // relative to the product of two sides; smaller values are rounding
                                         // errors
    const Vec3d a = points[1] - points[0], b = points[2] - points[0], normal = cross(a, b);
    if (!(norm(normal) > kVanishing * norm(a) * norm(b)))
        return std::nullopt;
    // the perpendicular bisectors of two sides intersect in the plane of the points
    const Vec3d toCentre =
        cross(a * squaredNorm(b) - b * squaredNorm(a), normal) / (-2 * squaredNorm(normal));
    return Circle{points[0] + toCentre, -toCentre, cross(normalized(normal), -toCentre)};
}

void addCircle(V& values, const Points& points, Vec3d) {
    if (const auto circle = circleThrough(points)) {
        values.radius = norm(circle->toFirst);
        values.diameter = 2 * values.radius;
    }
}

/// Draws the circle and the radius to the first point.
MeasureDrawing drawCircle(const Points& points, Vec3d) {
    constexpr int kCorners = 96;
    const auto circle = circleThrough(points);
    if (!circle)
        return {{points}, {}, {}, points[1]};
    Points outline;
    for (int i = 0; i <= kCorners; ++i) {
        const double angle = 2 * std::numbers::pi * i / kCorners;
        outline.push_back(circle->centre + circle->toFirst * std::cos(angle) +
                          circle->across * std::sin(angle));
    }
    return {{outline}, {{circle->centre, points[0]}}, {}, circle->centre};
}

} // namespace

std::span<const MeasureFigure> measureFigures() {
    using enum MeasureFigure::Dimension;
    static constexpr MeasureFigure kFigures[] = {
        {"distance", length, &V::distance},
        {"horizontal", length, &V::horizontal},
        {"height", length, &V::height},
        {"angle", angle, &V::angle},
        {"area", area, &V::area},
        {"perimeter", length, &V::perimeter},
        {"deviation", length, &V::deviation},
        {"radius", length, &V::radius},
        {"diameter", length, &V::diameter},
    };
    return kFigures;
}

std::span<const MeasureKindRow> measureKinds() {
    static const std::vector<MeasureKindRow> kinds{
        {.kind = MeasureKind::point,
         .key = "point",
         .label = "Point",
         .menuText = "&Point with Label",
         .shortcut = "L",
         .minPoints = 1,
         .maxPoints = 1,
         .evaluate = noValues,
         .draw = drawPoint},
        {.kind = MeasureKind::distance,
         .key = "distance",
         .label = "Distance",
         .menuText = "&Distance",
         .shortcut = "D",
         .minPoints = 2,
         .maxPoints = 2,
         .shown = {&V::distance, &V::horizontal, &V::height},
         .text = "%1 (horizontal %2, height %3)",
         .evaluate = addDistance,
         .draw = drawDistance},
        {.kind = MeasureKind::height,
         .key = "height",
         .label = "Height",
         .menuText = "&Height",
         .shortcut = "H",
         .minPoints = 2,
         .maxPoints = 2,
         .shown = {&V::height},
         .evaluate = addHeight,
         .draw = drawHeight},
        {.kind = MeasureKind::angle,
         .key = "angle",
         .label = "Angle",
         .menuText = "A&ngle",
         .shortcut = "G",
         .minPoints = 3,
         .maxPoints = 3,
         .shown = {&V::angle},
         .clicks = {"the first point", "the vertex"},
         .evaluate = addAngle,
         .draw = drawAngle},
        {.kind = MeasureKind::area,
         .key = "area",
         .label = "Area",
         .menuText = "&Area",
         .shortcut = "A",
         .minPoints = 3,
         .maxPoints = kMaxCorners,
         .shown = {&V::area, &V::perimeter, &V::deviation},
         .text = "%1 (perimeter %2, corners within %3 of the plane)",
         .evaluate = addArea,
         .draw = drawArea},
        {.kind = MeasureKind::circle,
         .key = "circle",
         .label = "Circle",
         .menuText = "C&ircle",
         .shortcut = "I",
         .minPoints = 3,
         .maxPoints = 3,
         .shown = {&V::radius, &V::diameter},
         .text = "radius %1 (diameter %2)",
         .evaluate = addCircle,
         .draw = drawCircle},
    };
    return kinds;
}

const MeasureKindRow& rowOf(MeasureKind kind) {
    return measureKinds()[std::size_t(kind)];
}

} // namespace scanloupe
