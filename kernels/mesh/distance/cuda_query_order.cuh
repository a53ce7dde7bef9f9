#pragma once
// Orders query points along a space-filling curve, so that the threads of a warp visit the same boxes, and
// launches the queries in parts.
#include "kernels/core/cuda_check.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/bvh.h"

#include <algorithm>
#include <cstdint>
#include <stop_token>

namespace scanloupe::cuda {

/// Maximum number of points per launch. A launch takes up to about 20 ms and cannot be cancelled.
inline constexpr std::size_t kMaxQueriesPerLaunch = std::size_t{1} << 23;

/// Copies points for sorting. Points far from the items of a tree are clamped to a region around the items,
/// so that they do not enlarge the cells of the curve; missing points become NaN.
static __global__ void clampForOrder(const Vec3f* points, std::size_t count, const Box3f* items,
                                     Vec3f* clamped) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const Vec3f p = points[i];
    const float nowhere = __int_as_float(0x7fc00000), around = 2 * norm(items->high - items->low);
    const Vec3f margin{around, around, around};
    clamped[i] = isPresent(p) ? max(min(p, items->high + margin), items->low - margin)
                              : Vec3f{nowhere, nowhere, nowhere};
}

/// Returns `count` elements with the value kNoItem, on the device.
inline Buffer<std::uint32_t> noItems(std::size_t count, StreamView stream) {
    static_assert(kNoItem == 0xffffffffu); // setting all bytes to 0xff must give kNoItem
    auto items = Buffer<std::uint32_t>::in(MemorySpace::device, count, stream);
    if (count > 0)
        check(cudaMemsetAsync(items.data(), 0xff, items.bytes(), ownStream(stream)), "cudaMemsetAsync");
    return items;
}

/// Calls `launch(first, count)` for parts of `size` queries, each with at most `most` queries. Cancels
/// between parts; each part starts after the stream has finished the previous one. @throws Cancelled
template <class Launch>
void forLaunches(std::size_t size, std::size_t most, const std::stop_token& stop, StreamView stream,
                 const Launch& launch) {
    for (std::size_t begin = 0; begin < size; begin += most) {
        if (begin > 0)
            stream.synchronize();
        if (stop.stop_requested())
            throw Cancelled();
        launch(begin, std::min(most, size - begin));
    }
}

/// Calls `use(first, order, count)` for consecutive parts of the points. `order`, on the device, contains the
/// present points of the part as indices relative to `first`. Points and tree are on the device. @param most
/// maximum number of points per part @throws DeviceMemoryShort, KernelError; Cancelled.
template <class Use>
void forPartsAlongCurve(const Buffer<Vec3f>& points, const BvhView& tree, std::size_t most,
                        const std::stop_token& stop, StreamView stream, const Use& use) {
    if (tree.levels == 0)
        return;
    forLaunches(points.size(), most, stop, stream, [&](std::size_t first, std::size_t count) {
        auto clamped = Buffer<Vec3f>::in(MemorySpace::device, count, stream);
        launch("clampForOrder", count, stream, clampForOrder, points.data() + first, count,
               tree.boxes + tree.levelBegins[tree.levels - 1], clamped.data());
        const Buffer<std::uint32_t> order = orderAlongCurve(clamped, stop, stream);
        if (!order.empty())
            use(first, order.data(), order.size());
    });
}

} // namespace scanloupe::cuda
