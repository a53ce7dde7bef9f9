// Compares two scans along their normals on the device, with one thread per place.
#include "kernels/change/m3c2.h"
#include "kernels/change/m3c2_element.h"
#include "kernels/mesh/distance/cuda_query_order.cuh"

namespace scanloupe::cuda {

namespace {

/// Maximum number of places per launch: cylinders may contain many points, and a running launch cannot be
/// cancelled.
constexpr std::size_t kMaxPlacesPerLaunch = std::size_t{1} << 13;
constexpr unsigned kPlaceBlock = 64;

__global__ void __launch_bounds__(kPlaceBlock)
    compare(const Vec3f* places, std::size_t count, TreePoints first, TreePoints second, M3c2Params params,
            M3c2Change* changes) {
    const std::size_t i = globalIndex();
    if (i < count)
        changes[i] = m3c2At(places[i], first, second, params, __int_as_float(0x7fc00000)); // NaN
}

} // namespace

Buffer<M3c2Change> m3c2(const Buffer<Vec3f>& places, const TreePoints& first, const TreePoints& second,
                        const M3c2Params& params, const std::stop_token& stop, StreamView stream) {
    scanloupe::detail::checkM3c2(params);
    auto changes = Buffer<M3c2Change>::in(MemorySpace::device, places.size(), stream);
    forLaunches(places.size(), kMaxPlacesPerLaunch, stop, stream, [&](std::size_t begin, std::size_t count) {
        const auto blocks = static_cast<unsigned>((count + kPlaceBlock - 1) / kPlaceBlock);
        compare<<<blocks, kPlaceBlock, 0, ownStream(stream)>>>(places.data() + begin, count, first, second,
                                                               params, changes.data() + begin);
        check(cudaGetLastError(), "m3c2");
    });
    return changes;
}

} // namespace scanloupe::cuda
