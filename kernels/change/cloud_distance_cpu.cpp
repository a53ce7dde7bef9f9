// Measures distances between scans on the CPU.
#include "kernels/change/cloud_distance.h"

#include "kernels/change/point_search.h"

#include "kernels/core/error.h"
#include "kernels/core/parallel.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/triangle_search.h"

#include <algorithm>
#include <string>

namespace scanloupe {

namespace {
constexpr std::size_t kQueries = 256;

/// Returns the hinted item with its squared distance if that is within the limit stored in `none`, otherwise
/// `none`.
NearestItem knownNear(const TreePoints& scan, Vec3f place, std::uint32_t item, NearestItem none) {
    if (item == kNoItem)
        return none;
    const double d = squaredNorm(scan.points[item].as<double>() - place.as<double>());
    return d <= none.squaredDistance ? NearestItem{item, d} : none;
}

/// Returns a squared radius around `place` that contains all points of `others`, the neighbours of a nearby
/// place; infinite if there are fewer than `wanted`.
double reachOf(const TreePoints& scan, Vec3f place, const Neighbours& others, int wanted) {
    if (others.count < wanted)
        return HUGE_VAL;
    double reach = 0;
    for (int i = 0; i < others.count; ++i)
        reach =
            std::max(reach, squaredNorm(scan.points[others.items[i].item].as<double>() - place.as<double>()));
    return reach;
}
} // namespace

void detail::checkCloudDistance(const CloudDistanceParams& params) {
    const int least = fewestNeighbours(params.model);
    if (params.model != LocalModel::none && (params.neighbours < least || params.neighbours > kMaxNeighbours))
        throw KernelError("the number of neighbours of a local model must be between " +
                              std::to_string(least) + " and " + std::to_string(kMaxNeighbours) + " (got " +
                              std::to_string(params.neighbours) + ")",
                          "Choose a number of neighbours in this range.");
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
    // points are sorted along a curve, so consecutive points use the same cached boxes and often the same
    // surface
    constexpr std::size_t maxPoints = std::size_t{1} << 24;
    for (std::size_t first = 0; first < points.size(); first += maxPoints) {
        const auto part = points.subspan(first, std::min(points.size() - first, maxPoints));
        const PointOrder order = PointOrder::near(part, search.box(), stop);
        parallelFor(part.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
            LocalSurface surface;
            std::uint32_t around = kNoItem;
            Neighbours near; // the neighbours of point `around`
            for (std::size_t k = begin; k < end; ++k) {
                const std::size_t i = order.rows[k];
                SignedDistance one{kNoDistance, std::uint8_t(MeshFeature::none)};
                if (isPresent(part[i])) {
                    // the nearest point of the previous place is a good hint
                    const NearestItem nearest =
                        search.nearest(part[i], knownNear(scan, part[i], around, none));
                    if (nearest.item != kNoItem) {
                        if (wantsSurface && nearest.item != around) {
                            const Vec3f place = scan.points[nearest.item];
                            near = search.neighbours(place, params.neighbours,
                                                     reachOf(scan, place, near, params.neighbours));
                            surface = localSurface(scan.points, nearest.item, near, params.model);
                        }
                        around = nearest.item;
                        one = detail::distanceToCloud(reference, nearest, surface, wantsSurface, part[i]);
                    }
                }
                result.values[first + i] = one.value;
                result.features[first + i] = one.feature;
            }
        });
    }
    result.cost = {timer.elapsedMs(), 0.0, result.values.bytes() + result.features.bytes()};
    return result;
}

Buffer<std::uint32_t> nearestPointsOf(std::span<const Vec3f> places, const TreePoints& scan,
                                      const PointSearch& search, float largest,
                                      std::span<const std::uint32_t> hints, const std::stop_token& stop) {
    auto items = Buffer<std::uint32_t>::host(places.size());
    const NearestItem none{kNoItem, double(largest) * double(largest)};
    parallelFor(places.size(), kQueries, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            items[i] = isPresent(places[i])
                           ? search
                                 .nearest(places[i], knownNear(scan, places[i],
                                                               hints.empty() ? kNoItem : hints[i], none))
                                 .item
                           : kNoItem;
    });
    return items;
}

} // namespace cpu

} // namespace scanloupe
