// Compares the normals of points with those of references.
#include "engine/inspect/turned_points.h"

#include "engine/cloud/error.h"
#include "engine/inspect/closest_point.h"
#include "kernels/change/nearest_points.h"
#include "kernels/core/parallel.h"
#include "kernels/mesh/nearest_triangles.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scanloupe {

namespace {

Buffer<std::uint32_t> nearestOf(const Reference& reference, const Buffer<Vec3f>& points,
                                const Execution& on) {
    if (const ReferenceMesh* mesh = reference.mesh())
        return NearestTriangles(mesh->mesh, mesh->tree, on).of(points, kAnyDistance);
    const ReferenceScan& scan = *reference.scan();
    const cpu::PointSearch search({scan.tree.view(), scan.points.data()}, on.stop);
    return NearestPoints(scan.points, scan.tree, search, on).of(points, kAnyDistance);
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
            if (!(squaredNorm(mine) > 0) || !(squaredNorm(its) > 0) ||
                std::max(dot(mine, its), -1.0) >= least)
                continue;
            distances.values[i] = kNoDistance;
            distances.features[i] = kTurned;
        }
    });
}

} // namespace scanloupe
