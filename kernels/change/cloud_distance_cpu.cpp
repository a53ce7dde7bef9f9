// Measures distances between scans on the CPU.
#include "kernels/change/cloud_distance.h"

#include "kernels/change/point_search.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"

#include <string>

namespace scanloupe {

namespace {
constexpr std::size_t kQueries = 256;
} // namespace

void detail::checkCloudDistance(const CloudDistanceParams& params) {
    const int least = fewestNeighbours(params.model);
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
    const PointSearch search(scan, stop);
    const bool wantsSurface = params.model != LocalModel::none;
    parallelFor(points.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
        LocalSurface surface;
        std::uint32_t around = kNoItem; // neighbours in the file often share it
        for (std::size_t i = begin; i < end; ++i) {
            SignedDistance one{kNoDistance, std::uint8_t(MeshFeature::none)};
            if (isPresent(points[i])) {
                const NearestItem nearest = search.nearest(points[i], none);
                if (nearest.item != kNoItem) {
                    if (wantsSurface && nearest.item != around)
                        surface = localSurface(
                            scan.points, nearest.item,
                            search.neighbours(scan.points[nearest.item], params.neighbours), params.model);
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

Buffer<std::uint32_t> nearestPointsOf(std::span<const Vec3f> places, const Vec3f* points,
                                      const PointSearch& search, float largest,
                                      std::span<const std::uint32_t> hints, const std::stop_token& stop) {
    auto items = Buffer<std::uint32_t>::host(places.size());
    const NearestItem none{kNoItem, double(largest) * double(largest)};
    const auto knownNear = [&](std::size_t i) {
        if (hints.empty() || hints[i] == kNoItem)
            return none;
        const double d = squaredNorm(points[hints[i]].as<double>() - places[i].as<double>());
        return d <= none.squaredDistance ? NearestItem{hints[i], d} : none;
    };
    parallelFor(places.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            items[i] = isPresent(places[i]) ? search.nearest(places[i], knownNear(i)).item : kNoItem;
    });
    return items;
}

} // namespace cpu

} // namespace scanloupe
