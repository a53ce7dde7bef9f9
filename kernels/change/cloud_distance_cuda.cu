// Measures distances between scans on the device, with one thread for each point. The points are sorted along
// a curve, so that the threads of a warp visit the same boxes.
#include "kernels/change/cloud_distance.h"
#include "kernels/mesh/distance/cuda_query_order.cuh"
#include "kernels/mesh/distance/surface_distance.h"

namespace scanloupe::cuda {

namespace {

/// Maximum number of points per launch; a running launch cannot be cancelled.
constexpr std::size_t kMaxPointsPerLaunch = std::size_t{1} << 21;
constexpr unsigned kPointBlock = 64;

__global__ void clearDistances(std::size_t count, float* values, std::uint8_t* features) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    values[i] = __int_as_float(0x7fc00000); // NaN
    features[i] = static_cast<std::uint8_t>(MeshFeature::none);
}

/// Stores the distance of each point to the scan.
struct MeasureCloud {
    ReferencePoints reference;
    CloudDistanceParams params;
    float* values;
    std::uint8_t* features;

    __device__ void operator()(std::uint32_t i, Vec3f p, NearestItem nearest) const {
        const bool wantsSurface = params.model != LocalModel::none;
        LocalSurface surface;
        if (wantsSurface)
            surface = localSurface(
                reference.scan.points, nearest.item,
                nearestPoints(reference.scan, reference.scan.points[nearest.item], params.neighbours),
                params.model);
        const SignedDistance one =
            scanloupe::detail::distanceToCloud(reference, nearest, surface, wantsSurface, p);
        values[i] = one.value;
        features[i] = one.feature;
    }
};

/// Stores the index of the scan point nearest to each point.
struct StoreItem {
    std::uint32_t* items;
    __device__ void operator()(std::uint32_t i, Vec3f, NearestItem nearest) const { items[i] = nearest.item; }
};

/// Calls `use(i, p, nearest)` for each of the points [0, count) of `order` that has a nearest scan point.
template <class Use>
__global__ void __launch_bounds__(kPointBlock)
    useNearest(const Vec3f* points, const std::uint32_t* order, std::size_t count, TreePoints scan,
               double squaredLimit, Use use) {
    const std::size_t k = globalIndex();
    if (k >= count)
        return;
    const std::uint32_t i = order[k];
    const Vec3f p = points[i];
    const NearestItem nearest = nearestPoint(scan.tree, scan.points, p, {kNoItem, squaredLimit});
    if (nearest.item != kNoItem)
        use(i, p, nearest);
}

/// Calls `useOf(first)(i, p, nearest)` for each present point `first + i` that has a nearest scan point.
/// @throws DeviceMemoryShort, KernelError; Cancelled.
template <class UseOf>
void forNearest(const Buffer<Vec3f>& points, const TreePoints& scan, float largest,
                const std::stop_token& stop, StreamView stream, const UseOf& useOf) {
    const double squaredLimit = double(largest) * double(largest);
    forPartsAlongCurve(points, scan.tree, kMaxPointsPerLaunch, stop, stream,
                       [&](std::size_t first, const std::uint32_t* order, std::size_t count) {
                           const auto blocks = static_cast<unsigned>((count + kPointBlock - 1) / kPointBlock);
                           useNearest<<<blocks, kPointBlock, 0, ownStream(stream)>>>(
                               points.data() + first, order, count, scan, squaredLimit, useOf(first));
                           check(cudaGetLastError(), "useNearest");
                       });
}

} // namespace

SignedDistances cloudDistances(const Buffer<Vec3f>& points, const ReferencePoints& reference,
                               const CloudDistanceParams& params, const std::stop_token& stop,
                               StreamView stream) {
    scanloupe::detail::checkCloudDistance(params);
    const WallTimer wall;
    EventTimer device(stream);
    auto values = Buffer<float>::in(MemorySpace::device, points.size(), stream);
    auto features = Buffer<std::uint8_t>::in(MemorySpace::device, points.size(), stream);
    launch("clearDistances", points.size(), stream, clearDistances, points.size(), values.data(),
           features.data());
    forNearest(points, reference.scan, params.largest, stop, stream, [&](std::size_t first) {
        return MeasureCloud{reference, params, values.data() + first, features.data() + first};
    });
    device.stop();
    SignedDistances result;
    result.values = values.copyTo(MemorySpace::host, stream);
    result.features = features.copyTo(MemorySpace::host, stream);
    result.cost.deviceMs = device.elapsedMs();
    result.cost.bytes = result.values.bytes() + result.features.bytes();
    result.cost.wallMs = wall.elapsedMs();
    return result;
}

Buffer<std::uint32_t> nearestPointsOf(const Buffer<Vec3f>& places, const TreePoints& scan, float largest,
                                      const std::stop_token& stop, StreamView stream) {
    auto items = noItems(places.size(), stream);
    forNearest(places, scan, largest, stop, stream,
               [&](std::size_t first) { return StoreItem{items.data() + first}; });
    return items;
}

} // namespace scanloupe::cuda
