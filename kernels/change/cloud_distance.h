#pragma once
// Declares distances from points to another scan: to its nearest points, or to the surface around them.
#include "kernels/change/local_surface.h"
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

struct CloudDistanceParams {
    LocalModel model = LocalModel::plane;
    int neighbours = kModelNeighbours; ///< points to fit the model to; fewestNeighbours() to kMaxNeighbours
    float largest = kAnyDistance;      ///< metres; points farther from the nearest point have none
};

/// A scan to measure from; all lies where it is computed.
struct ReferencePoints {
    TreePoints scan;
    /// [N] outer normals of its points; null: unknown, and distances have no signs
    const Vec3f* normals = nullptr;
};

namespace cpu {
class PointSearch;
/// Distances of points, [N, 3], to a scan: to the local model around the nearest of its points, or to that
/// point itself if there is no model, or if the model's closest point lies outside of its neighbours. In
/// these cases the feature is MeshFeature::vertexA, with kAtBorder in the second case; otherwise
/// MeshFeature::face. Positive on the side of the reference's normals; always positive if it has none.
/// @throws KernelError for parameters out of their range; Cancelled.
SignedDistances cloudDistances(std::span<const Vec3f> points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop);
/// The nearest of the points of a scan to each of `places`, [M]; kNoItem for places that are not present, or
/// have none within `largest` metres. @param hints [M] points that may be near, or kNoItem, which accelerate
/// the search; may be empty @throws Cancelled
Buffer<std::uint32_t> nearestPointsOf(std::span<const Vec3f> places, const TreePoints& scan,
                                      const PointSearch& search, float largest,
                                      std::span<const std::uint32_t> hints, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::cloudDistances, with the same bytes; all input lies on the device, the distances on the host.
/// @note Synchronizes with `stream`.
SignedDistances cloudDistances(const Buffer<Vec3f>& points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop,
                               StreamView stream);
/// As cpu::nearestPointsOf; all lies on the device. @note Synchronizes with `stream`.
Buffer<std::uint32_t> nearestPointsOf(const Buffer<Vec3f>& places, const TreePoints& scan, float largest,
                                      const std::stop_token& stop, StreamView stream);
} // namespace cuda

namespace detail {

/// @throws KernelError
void checkCloudDistance(const CloudDistanceParams& params);

/// The distance from `p` to a scan whose nearest point is `item`, `squaredDistance` away, with the model
/// around it.
HD inline SignedDistance distanceToCloud(const ReferencePoints& reference, NearestItem nearest,
                                         const LocalSurface& surface, bool wantsSurface, Vec3f p) {
    const Vec3d from = p.as<double>() - reference.scan.points[nearest.item].as<double>();
    const Vec3d outwards = reference.normals ? reference.normals[nearest.item].as<double>() : Vec3d{};
    if (surface.exists) {
        const LocalDistance local = distanceToLocalSurface(surface, from);
        if (local.isNear) {
            const double facing = dot(surface.axes[2], outwards); // 0: the point has no normal
            const double value = facing > 0   ? local.value
                                 : facing < 0 ? -local.value
                                              : std::fabs(local.value);
            return {static_cast<float>(value), static_cast<std::uint8_t>(MeshFeature::face)};
        }
    }
    const double length = std::sqrt(nearest.squaredDistance);
    const auto vertex = static_cast<std::uint8_t>(MeshFeature::vertexA);
    return {static_cast<float>(dot(from, outwards) < 0 ? -length : length),
            static_cast<std::uint8_t>(wantsSurface ? vertex | kAtBorder : vertex)};
}

} // namespace detail

} // namespace scanloupe
