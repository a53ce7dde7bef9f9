// Computes deviations at single points.
#include "engine/inspect/deviation_at.h"

#include "engine/inspect/closest_point.h"
#include "engine/inspect/reference.h"
#include "kernels/change/cloud_distance.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <cmath>

namespace scanloupe {

namespace {

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
                          -closestPoint(mesh, nearest.item, p.as<double>()).at,
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
    // the normal of a quadric's plane gives the direction to the quadric
    return PlaceDeviation{
        {}, surface.axes[2] * distanceToLocalSurface(surface, from).value, double(one.value)};
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
