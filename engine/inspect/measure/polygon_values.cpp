// Computes area, perimeter and flatness of polygons in space.
#include "engine/inspect/measure/polygon_values.h"

#include <algorithm>
#include <cmath>

namespace scanloupe {

namespace {

/// Returns a vector whose length is the area of the polygon and whose direction is the normal of the plane in
/// which its projection is largest.
Vec3d areaVector(const std::vector<Vec3d>& corners) {
    Vec3d sum;
    for (std::size_t i = 0; i < corners.size(); ++i)
        sum += cross(corners[i], corners[(i + 1) % corners.size()]);
    return sum / 2.0;
}

/// Returns the normal of a polygon whose area vector is zero because parts of it cancel: the normal of the
/// largest triangle with the first corner. Zero if all corners are on a line.
Vec3d normalOfLargestTriangle(const std::vector<Vec3d>& corners) {
    Vec3d largest;
    for (std::size_t i = 1; i < corners.size(); ++i)
        for (std::size_t k = i + 1; k < corners.size(); ++k)
            if (const Vec3d normal = cross(corners[i], corners[k]);
                squaredNorm(normal) > squaredNorm(largest))
                largest = normal;
    return largest;
}

/// Returns twice the signed area of a triangle, seen along the unit vector `normal`.
double turn(Vec3d a, Vec3d b, Vec3d c, Vec3d normal) {
    return dot(cross(b - a, c - a), normal);
}

/// Whether the edges a-b and c-d cross in their interior, seen along `normal`.
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

} // namespace

void addPolygon(MeasureValues& values, const std::vector<Vec3d>& corners) {
    constexpr double kVanishing = 1e-12; // relative to the squared perimeter; smaller areas are rounding
                                         // errors
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

} // namespace scanloupe
