// Computes the values of measures.
#include "engine/measure/measure.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

/// Points relative to the first, so that map coordinates lose no digits.
std::vector<Vec3d> localPoints(const Measure& measure) {
    std::vector<Vec3d> points;
    for (const MeasurePoint& point : measure.points)
        points.push_back(point.position - measure.points.front().position);
    return points;
}

void addPair(MeasureValues& values, Vec3d way, Vec3d up) {
    values.height = dot(way, up);
    values.distance = norm(way);
    values.horizontal = norm(way - up * values.height);
}

/// Degrees between two vectors, exact for small and for flat angles, too; NaN if one has no length.
double angleBetween(Vec3d a, Vec3d b) {
    if (!(norm(a) > 0 && norm(b) > 0))
        return MeasureValues::kNone;
    return std::atan2(norm(cross(a, b)), dot(a, b)) * 180 / std::numbers::pi;
}

/// Length: area of the polygon. Direction: normal of the plane that sees it largest.
Vec3d areaVector(const std::vector<Vec3d>& corners) {
    Vec3d sum;
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += cross(corners[i], corners[(i + 1) % corners.size()]);
    return sum / 2.0;
}

/// A normal for a polygon whose area vector vanishes, because parts of it cancel each other: that of its
/// largest triangle with the first corner. Zero if all corners lie on a line.
Vec3d normalOfLargestTriangle(const std::vector<Vec3d>& corners) {
    Vec3d largest;
    for (std::size_t i = 1; i < corners.size(); ++i)
        for (std::size_t k = i + 1; k < corners.size(); ++k)
            if (const Vec3d normal = cross(corners[i], corners[k]);
                squaredNorm(normal) > squaredNorm(largest))
                largest = normal;
    return largest;
}

/// Twice the signed area of a triangle, seen along the unit vector `normal`.
double turn(Vec3d a, Vec3d b, Vec3d c, Vec3d normal) {
    return dot(cross(b - a, c - a), normal);
}

/// Whether two edges cross within both, seen along `normal`.
bool edgesCross(Vec3d a, Vec3d b, Vec3d c, Vec3d d, Vec3d normal) {
    return turn(a, b, c, normal) * turn(a, b, d, normal) < 0 &&
           turn(c, d, a, normal) * turn(c, d, b, normal) < 0;
}

bool anyEdgesCross(const std::vector<Vec3d>& corners, Vec3d normal) {
    const std::size_t n = corners.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t k = i + 2; k < n; ++k)
            if ((k + 1) % n != i &&
                edgesCross(corners[i], corners[i + 1], corners[k], corners[(k + 1) % n], normal))
                return true;
    return false;
}

void addPolygon(MeasureValues& values, const std::vector<Vec3d>& corners) {
    constexpr double kVanishing = 1e-12; // of the squared perimeter: rounding
    values.perimeter = 0;
    Vec3d mean;
    for (std::size_t i = 0; i < corners.size(); ++i) {
        values.perimeter += norm(corners[(i + 1) % corners.size()] - corners[i]);
        mean += corners[i] / double(corners.size());
    }
    const Vec3d area = areaVector(corners);
    const double vanishing = kVanishing * values.perimeter * values.perimeter;
    const Vec3d normal = normalized(norm(area) > vanishing ? area : normalOfLargestTriangle(corners));
    values.edgesCross = anyEdgesCross(corners, normal);
    if (!values.edgesCross)
        values.area = norm(area);
    values.deviation = 0;
    for (const Vec3d& corner : corners)
        values.deviation = std::max(values.deviation, std::abs(dot(corner - mean, normal)));
}

} // namespace

std::size_t fewestPoints(MeasureKind kind) {
    switch (kind) {
    case MeasureKind::point:
        return 1;
    case MeasureKind::distance:
    case MeasureKind::height:
        return 2;
    case MeasureKind::angle:
    case MeasureKind::area:
        break;
    }
    return 3;
}

MeasureValues valuesOf(const Measure& measure, Vec3d up) {
    MeasureValues values;
    if (measure.points.size() < fewestPoints(measure.kind))
        return values;
    const std::vector<Vec3d> points = localPoints(measure);
    switch (measure.kind) {
    case MeasureKind::point:
        break;
    case MeasureKind::distance:
        addPair(values, points[1], up);
        break;
    case MeasureKind::height:
        values.height = dot(points[1], up);
        break;
    case MeasureKind::angle:
        values.angle = angleBetween(points[0] - points[1], points[2] - points[1]);
        break;
    case MeasureKind::area:
        addPolygon(values, points);
        break;
    }
    return values;
}

std::string_view snapKeyOf(MeasureSnap snap) {
    constexpr std::string_view keys[] = {"scan point", "surface", "section line"};
    return keys[std::size_t(snap)];
}

std::string_view keyOf(MeasureKind kind) {
    switch (kind) {
    case MeasureKind::point:
        return "point";
    case MeasureKind::distance:
        return "distance";
    case MeasureKind::height:
        return "height";
    case MeasureKind::angle:
        return "angle";
    case MeasureKind::area:
        break;
    }
    return "area";
}

} // namespace scanloupe
