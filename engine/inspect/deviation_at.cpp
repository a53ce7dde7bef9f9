// Measures single places.
#include "engine/inspect/deviation_at.h"

#include "kernels/change/cloud_distance.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace scanloupe {

namespace {

/// The closest point of a triangle, relative to the place.
Vec3d closestOf(const ReferenceMesh& reference, std::uint32_t triangle, Vec3d place) {
    const auto corner = [&](std::size_t i) {
        return reference.mesh.positions[reference.mesh.indices[3 * std::size_t{triangle} + i]].as<double>() -
               place;
    };
    const Vec3d a = corner(0), b = corner(1), c = corner(2), ab = b - a, bc = c - b, ca = a - c;
    const Vec3d normal = cross(ab, bc);
    if (squaredNorm(normal) > 0 && dot(cross(a, ab), normal) >= 0 && dot(cross(b, bc), normal) >= 0 &&
        dot(cross(c, ca), normal) >= 0)
        return normal * (dot(a, normal) / squaredNorm(normal));
    std::array<Vec3d, 3> nearest;
    nearestOfSegment(a, ab, nearest[0]);
    nearestOfSegment(b, bc, nearest[1]);
    nearestOfSegment(c, ca, nearest[2]);
    return *std::ranges::min_element(nearest, {}, [](Vec3d v) { return squaredNorm(v); });
}

std::optional<PlaceDeviation> measured(const ReferenceMesh& reference, NearestItem none,
                                       const DeviationOptions&, Vec3f p) {
    const TriangleMesh& mesh = reference.mesh;
    const SignedMeshView view{reference.tree.view(),
                              mesh.positions.data(),
                              mesh.indices.data(),
                              reference.normals.edges.data(),
                              reference.normals.vertices.data(),
                              reference.normals.borders.data()};
    const NearestItem nearest = nearestTriangle(view.tree, view.positions, view.indices, p, none);
    if (nearest.item == kNoItem)
        return std::nullopt;
    return PlaceDeviation{{},
                          -closestOf(reference, nearest.item, p.as<double>()),
                          double(signedDistanceTo(view, nearest, p).value)};
}

std::optional<PlaceDeviation> measured(const ReferenceScan& reference, NearestItem none,
                                       const DeviationOptions& options, Vec3f p) {
    const Vec3f* points = reference.points.data();
    const TreePoints scan{reference.tree.view(), points};
    const NearestItem nearest = nearestPoint(scan.tree, points, p, none);
    if (nearest.item == kNoItem)
        return std::nullopt;
    LocalSurface surface;
    if (options.model != LocalModel::none)
        surface = localSurface(points, nearest.item,
                               nearestPoints(scan, points[nearest.item], options.neighbours), options.model);
    const SignedDistance one =
        detail::distanceToCloud({scan, reference.normals.empty() ? nullptr : reference.normals.data()},
                                nearest, surface, options.model != LocalModel::none, p);
    const Vec3d from = p.as<double>() - points[nearest.item].as<double>();
    if (one.feature != std::uint8_t(MeshFeature::face))
        return PlaceDeviation{{}, from, double(one.value)};
    const Vec3d normal = surface.axes[2]; // of a quadric the direction is that of its plane
    const double side = dot(from - surface.middle, normal) < 0 ? -1 : 1;
    return PlaceDeviation{{}, normal * (side * std::abs(double(one.value))), double(one.value)};
}

} // namespace

std::optional<PlaceDeviation> deviationAt(const Reference& reference, const DeviationOptions& options,
                                          Vec3d place) {
    const Vec3f p = (place - reference.origin).as<float>();
    if (!isFinite(p))
        return std::nullopt;
    const NearestItem none{kNoItem, options.largest > 0 ? options.largest * options.largest : HUGE_VAL};
    auto found =
        std::visit([&](const auto& shape) { return measured(shape, none, options, p); }, reference.shape);
    if (found)
        found->at = place;
    return found;
}

} // namespace scanloupe
