#pragma once
// Declares distances from points to a mesh, and from the vertices of a mesh to points.
#include "kernels/core/buffer.h"
#include "kernels/core/cost.h"
#include "kernels/core/queue/queue.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cmath>
#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Statistics of distances, in metres; all 0 if there are no distances.
struct DistanceStats {
    std::uint64_t count = 0;
    double mean = 0, rms = 0;
    double p95 = 0; ///< 95th percentile: the value at rank floor(0.95 * (count - 1))
    double max = 0;
    bool operator==(const DistanceStats&) const = default;
};

/// Unsigned distances from points to a surface.
struct PointDistances {
    Buffer<float> values; ///< [N] metres; NaN for a point that is not finite
    DistanceStats stats;
    Cost cost;
};

/// Returns the triangle of the tree that is nearest to `p`, see nearestItem().
HD inline NearestItem nearestTriangle(const BvhView& tree, const Vec3f* positions,
                                      const std::uint32_t* indices, Vec3f p, NearestItem best) {
    return nearestItem(
        tree, p,
        [&](std::uint32_t t, double least) {
            const std::uint32_t* corners = indices + std::uint64_t{3} * t;
            const Vec3f a = positions[corners[0]], b = positions[corners[1]], c = positions[corners[2]];
            const double lowerBound =
                static_cast<double>(squaredDistanceLowerBound({min(min(a, b), c), max(max(a, b), c)}, p));
            return lowerBound > least ? lowerBound : squaredDistanceToTriangle(p, a, b, c);
        },
        best);
}

/// Returns the point of the tree that is nearest to `p`, see nearestItem().
HD inline NearestItem nearestPoint(const BvhView& tree, const Vec3f* points, Vec3f p,
                                   NearestItem best = {0, HUGE_VAL}) {
    return nearestItem(
        tree, p,
        [&](std::uint32_t i, double) { return squaredNorm(points[i].as<double>() - p.as<double>()); }, best);
}
/// Returns the distance from `p` to the nearest point of the tree, metres. The tree must not be empty.
HD inline float distanceToPoints(const BvhView& tree, const Vec3f* points, Vec3f p) {
    return static_cast<float>(std::sqrt(nearestPoint(tree, points, p).squaredDistance));
}

namespace cpu {

/// Computes the exact distances from points, [N, 3], to a mesh. NaN for points that are not finite, and for
/// all points if the mesh has no triangles. @param tree search tree over the mesh @throws KernelError;
/// Cancelled.
PointDistances pointToMesh(std::span<const Vec3f> points, const TriangleMesh& mesh, const Bvh& tree,
                           const std::stop_token& stop);

/// Statistics of the values except NaN; none may be negative. @throws Cancelled
DistanceStats statisticsOf(std::span<const float> distances, const std::stop_token& stop);

} // namespace cpu

namespace cuda {
/// Same as cpu::pointToMesh, with an identical result. Points, mesh and tree are on the device, the distances
/// are on the host. @note Synchronizes with `stream`.
PointDistances pointToMesh(const Buffer<Vec3f>& points, const TriangleMesh& mesh, const Bvh& tree,
                           const std::stop_token& stop, StreamView stream);
} // namespace cuda

/// Exact distance of each of `positions` to the nearest of the points that `tree` is over, [M] metres, on the
/// host; NaN without points. All input lies where it computes. @throws KernelError; DeviceMemoryShort;
/// Cancelled. @note Synchronizes.
Buffer<float> distancesToPoints(HostQueue& q, std::span<const Vec3f> positions, std::span<const Vec3f> points,
                                const Bvh& tree);
Buffer<float> distancesToPoints(CudaQueue& q, std::span<const Vec3f> positions, std::span<const Vec3f> points,
                                const Bvh& tree);
inline Buffer<float> distancesToPoints(std::span<const Vec3f> positions, std::span<const Vec3f> points,
                                       const Bvh& tree, const Execution& on) {
    return onQueue(on, [&](auto& q) { return distancesToPoints(q, positions, points, tree); });
}

} // namespace scanloupe
