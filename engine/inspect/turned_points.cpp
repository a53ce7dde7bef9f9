// Compares the normals of points with those of references.
#include "engine/inspect/turned_points.h"

#include "engine/cloud/error.h"
#include "kernels/change/nearest_points.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/nearest_triangles.h"

#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

Buffer<std::uint32_t> nearestOf(const Reference& reference, const Buffer<Vec3f>& points,
                                const Execution& on) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return NearestTriangles(mesh->mesh, mesh->tree, on).of(points, kAnyDistance);
    return NearestPoints(reference.scan()->points, reference.scan()->tree, on).of(points, kAnyDistance);
}

/// Of a triangle or a point; zero without one.
Vec3d normalOf(const Reference& reference, std::uint32_t item) {
    const ReferenceMesh* mesh = reference.mesh();
    if (!mesh)
        return reference.scan()->normals[item].as<double>();
    const auto corner = [&](std::size_t i) {
        return mesh->mesh.positions[mesh->mesh.indices[3 * std::size_t{item} + i]].as<double>();
    };
    const Vec3d a = corner(0), normal = cross(corner(1) - a, corner(2) - a);
    const double length = norm(normal);
    return length > 0 ? normal / length : Vec3d{};
}

} // namespace

void leaveOutTurned(SignedDistances& distances, const Buffer<Vec3f>& points, const Buffer<Vec3f>& normals,
                    const Reference& reference, double degrees, const Execution& on) {
    if (normals.empty() || !reference.hasSigns())
        throw EngineError(normals.empty()
                              ? "The scan has no normals that could be compared with the reference's."
                              : "The reference is a scan without normals: there is nothing to compare with.",
                          "Compare without a largest angle, or use scans with normals.");
    const Buffer<std::uint32_t> items = nearestOf(reference, points, on);
    const double least = std::cos(degrees * std::numbers::pi / 180);
    parallelFor(points.size(), 1 << 14, on.stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            if (std::isnan(distances.values[i]) || items[i] == kNoItem)
                continue;
            const Vec3d mine = normals[i].as<double>(), its = normalOf(reference, items[i]);
            if (!(squaredNorm(mine) > 0) || !(squaredNorm(its) > 0) || dot(mine, its) >= least)
                continue;
            distances.values[i] = kNoDistance;
            distances.features[i] = kTurned;
        }
    });
}

} // namespace scanloupe
