// Measures distances between scans on the CPU.
#include "kernels/change/cloud_distance.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/surface_distance.h"

#include <string>

namespace scanloupe {

namespace {
constexpr std::size_t kQueries = 256;
} // namespace

void detail::checkCloudDistance(const CloudDistanceParams& params) {
    const int least = params.model == LocalModel::quadric ? 6 : 3;
    if (params.model != LocalModel::none &&
        (params.neighbours < least || params.neighbours > kMostNeighbours))
        throw KernelError(
            "a local model through " + std::to_string(params.neighbours) + " points is not possible",
            "Take " + std::to_string(least) + " to " + std::to_string(kMostNeighbours) + " neighbours.");
}

namespace cpu {

SignedDistances cloudDistances(std::span<const Vec3f> points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop) {
    detail::checkCloudDistance(params);
    const WallTimer timer;
    SignedDistances result{Buffer<float>::host(points.size()), Buffer<std::uint8_t>::host(points.size()), {}};
    const NearestItem none{kNoItem, double(params.largest) * double(params.largest)};
    const TreePoints& scan = reference.scan;
    const bool wantsSurface = params.model != LocalModel::none;
    parallelFor(points.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
        LocalSurface surface;
        std::uint32_t around = kNoItem; // neighbours in the file often share it
        for (std::size_t i = begin; i < end; ++i) {
            SignedDistance one{kNoDistance, std::uint8_t(MeshFeature::none)};
            if (isPresent(points[i])) {
                const NearestItem nearest = nearestPoint(scan.tree, scan.points, points[i], none);
                if (nearest.item != kNoItem) {
                    if (wantsSurface && nearest.item != around)
                        surface = localSurface(scan, nearest.item, params.model, params.neighbours);
                    around = nearest.item;
                    one = detail::distanceToCloud(reference, nearest, surface, wantsSurface, points[i]);
                }
            }
            result.values[i] = one.value;
            result.features[i] = one.feature;
        }
    });
    result.cost = {timer.elapsedMs(), 0.0, result.values.bytes() + result.features.bytes()};
    return result;
}

Buffer<std::uint32_t> nearestPointsOf(std::span<const Vec3f> places, const TreePoints& scan, float largest,
                                      const std::stop_token& stop) {
    auto items = Buffer<std::uint32_t>::host(places.size());
    const NearestItem none{kNoItem, double(largest) * double(largest)};
    parallelFor(places.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            items[i] =
                isPresent(places[i]) ? nearestPoint(scan.tree, scan.points, places[i], none).item : kNoItem;
    });
    return items;
}

} // namespace cpu

} // namespace scanloupe
