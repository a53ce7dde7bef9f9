#pragma once
// Declares distances from points to another scan: to its nearest point, or to a local surface model around
// that point.
#include "kernels/change/local_surface.h"
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/signed_distance.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

struct CloudDistanceParams {
    LocalModel model = LocalModel::plane;
    int neighbours = kModelNeighbours; ///< number of points the model is fitted to, fewestNeighbours() to
                                       ///< kMaxNeighbours
    float largest = kAnyDistance;      ///< metres; points farther from the scan than this get no distance
};

/// A scan to measure distances from. All data is in the memory of the backend that computes.
struct ReferencePoints {
    TreePoints scan;
    /// [N] outward unit normals of the scan's points; null if unknown, then distances are unsigned
    const Vec3f* normals = nullptr;
};

namespace cpu {
class PointSearch;
/// Returns the distances, metres, from points [N, 3] to a scan. The distance is measured to the local model
/// around the nearest scan point if the model's closest point is within the radius of its neighbours; the
/// feature is then MeshFeature::face. Otherwise, or without a model, it is measured to the nearest scan point
/// itself; the feature is then MeshFeature::vertexA, with kAtBorder added if a model was requested. Distances
/// are positive on the side that the reference's normals point to, and always positive without normals.
/// @throws KernelError for parameters out of range; Cancelled.
SignedDistances cloudDistances(std::span<const Vec3f> points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop);
/// Returns, for each of `places` [M], the index of the nearest point of a scan: [M]; kNoItem where the place
/// is not present or no point is within `largest` metres.
/// @param hints [M] a point that may be near each place, or kNoItem; speeds up the search; may be empty
/// @throws Cancelled
Buffer<std::uint32_t> nearestPointsOf(std::span<const Vec3f> places, const TreePoints& scan,
                                      const PointSearch& search, float largest,
                                      std::span<const std::uint32_t> hints, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::cloudDistances, with identical bytes. All input is on the device, the distances are on the
/// host.
/// @note Synchronizes with `stream`.
SignedDistances cloudDistances(const Buffer<Vec3f>& points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop,
                               StreamView stream);
/// Same as cpu::nearestPointsOf, with all data on the device. @note Synchronizes with `stream`.
Buffer<std::uint32_t> nearestPointsOf(const Buffer<Vec3f>& places, const TreePoints& scan, float largest,
                                      const std::stop_token& stop, StreamView stream);
} // namespace cuda

namespace detail {

/// Checks the number of neighbours. @throws KernelError if it is out of range
void checkCloudDistance(const CloudDistanceParams& params);

/// Returns the distance from `p` to a scan. `nearest` is the scan point nearest to `p`, `surface` the model
/// around that point.
/// @param wantsSurface whether a local model was requested
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
