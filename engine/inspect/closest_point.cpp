// Computes the closest points of triangles.
#include "engine/inspect/closest_point.h"

#include "engine/inspect/reference.h"

#include <algorithm>
#include <array>

namespace scanloupe {

ClosestPoint closestPoint(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d place) {
    const auto corner = [&](std::size_t i) {
        return mesh.positions[mesh.indices[3 * std::size_t{triangle} + i]].as<double>() - place;
    };
    const Vec3d a = corner(0), b = corner(1), c = corner(2), ab = b - a, bc = c - b, ca = a - c;
    const Vec3d across = cross(ab, bc);
    const double length = norm(across);
    const Vec3d normal = length > 0 ? across / length : Vec3d{};
    if (length > 0 && dot(cross(a, ab), across) >= 0 && dot(cross(b, bc), across) >= 0 &&
        dot(cross(c, ca), across) >= 0)
        return {normal * dot(a, normal), normal, true};
    std::array<Vec3d, 3> nearest;
    nearestOfSegment(a, ab, nearest[0]);
    nearestOfSegment(b, bc, nearest[1]);
    nearestOfSegment(c, ca, nearest[2]);
    return {*std::ranges::min_element(nearest, {}, [](Vec3d v) { return squaredNorm(v); }), normal, false};
}

Vec3d normalOf(const Reference& reference, std::uint32_t item) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return closestPoint(mesh->mesh, item, {}).normal;
    const ReferenceScan& scan = *reference.scan();
    return scan.normals.empty() ? Vec3d{} : scan.normals[item].as<double>();
}

} // namespace scanloupe
