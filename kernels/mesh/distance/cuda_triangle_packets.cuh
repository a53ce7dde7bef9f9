#pragma once
// Finds the nearest triangles of many points on the device. The points are sorted along a space-filling
// curve; the 32 points of a warp are close to each other and traverse the tree together.
#include "kernels/mesh/distance/cuda_query_order.cuh"
#include "kernels/mesh/distance/surface_distance.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe::cuda {

inline constexpr unsigned kPacketBlock = 128;

/// A mesh and the search tree over its triangles.
struct MeshTreeView {
    BvhView tree;
    const Vec3f* positions;
    const std::uint32_t* indices;
};

/// A box that a warp still has to visit.
struct PacketEntry {
    std::uint32_t box;
    std::int32_t level;
};
inline constexpr int kPacketStack = kMaxBvhLevels * static_cast<int>(kBvhWidth);

/// Returns the smallest float >= the squared distance.
__device__ inline float limitOf(const NearestItem& best) {
    return __double2float_ru(best.squaredDistance);
}

/// Same as nearestTriangle() for the point of each thread, with the same result. Must be called by all
/// threads of a warp.
/// @param best see nearestItem(); a negative squared distance if the thread has no point @param stack
/// [kPacketStack] in shared memory, one per warp
__device__ inline NearestItem nearestTriangleOfPacket(const MeshTreeView& mesh, Vec3f p, NearestItem best,
                                                      PacketEntry* stack) {
    constexpr unsigned all = 0xffffffffu;
    const BvhView& tree = mesh.tree;
    const bool writes = threadIdx.x % 32 == 0;
    int depth = 0;
    if (tree.levels > 0) {
        if (writes)
            stack[0] = {0, tree.levels - 1};
        depth = 1;
    }
    __syncwarp();
    float limit = limitOf(best);
    while (depth > 0) {
        const PacketEntry top = stack[--depth];
        const float toTop = squaredDistanceLowerBound(tree.boxes[tree.levelBegins[top.level] + top.box], p);
        if (!__any_sync(all, toTop <= limit))
            continue;
        if (top.level == 0) {
            const std::uint64_t begin = BvhView::leafBegin(top.box);
            const std::uint64_t end = begin + kLeafItems < tree.items ? begin + kLeafItems : tree.items;
            for (std::uint64_t place = begin; place < end; ++place) {
                const std::uint32_t t = tree.order[place];
                const std::uint32_t* corners = mesh.indices + std::uint64_t{3} * t;
                const Vec3f a = mesh.positions[corners[0]], b = mesh.positions[corners[1]],
                            c = mesh.positions[corners[2]];
                const float bound = squaredDistanceLowerBound({min(min(a, b), c), max(max(a, b), c)}, p);
                if (bound > limit)
                    continue;
                const double d = squaredDistanceToTriangle(p, a, b, c);
                if (d < best.squaredDistance || (d == best.squaredDistance && t < best.item))
                    best = {t, d};
            }
            limit = limitOf(best);
            continue;
        }
        // order the children by the number of points to which they are the nearest child, since the last one
        // is visited first
        const int below = top.level - 1;
        const std::uint64_t first = std::uint64_t{top.box} * kBvhWidth, size = tree.levelSizes[below];
        float bounds[kBvhWidth];
        float least = HUGE_VALF;
        for (unsigned k = 0; k < kBvhWidth; ++k) {
            bounds[k] = first + k < size
                            ? squaredDistanceLowerBound(tree.boxes[tree.levelBegins[below] + first + k], p)
                            : HUGE_VALF;
            least = bounds[k] < least ? bounds[k] : least;
        }
        int votes[kBvhWidth], children = 0;
        std::uint32_t boxes[kBvhWidth];
        for (unsigned k = 0; k < kBvhWidth; ++k) {
            const bool isNear = first + k < size && bounds[k] <= limit;
            if (!__any_sync(all, isNear))
                continue;
            const int vote = __popc(__ballot_sync(all, isNear && bounds[k] == least));
            int place = children++;
            for (; place > 0 && votes[place - 1] > vote; --place) {
                votes[place] = votes[place - 1];
                boxes[place] = boxes[place - 1];
            }
            votes[place] = vote;
            boxes[place] = static_cast<std::uint32_t>(first + k);
        }
        __syncwarp(); // wait until all lanes have read the entries, since they are overwritten now
        for (int child = 0; child < children; ++child)
            if (writes)
                stack[depth + child] = {boxes[child], below};
        depth += children;
        __syncwarp();
    }
    return best;
}

/// Calls `measure(i, p, nearest)` for each of the points [0, count) of `order`.
template <class Measure>
__global__ void __launch_bounds__(kPacketBlock)
    measurePackets(const Vec3f* points, const std::uint32_t* order, std::size_t count, MeshTreeView mesh,
                   double squaredLimit, Measure measure) {
    __shared__ PacketEntry stacks[kPacketBlock / 32][kPacketStack];
    const std::size_t k = globalIndex();
    const bool isPoint = k < count;
    const std::uint32_t i = isPoint ? order[k] : 0;
    const Vec3f p = isPoint ? points[i] : Vec3f{};
    const NearestItem nearest =
        nearestTriangleOfPacket(mesh, p, {kNoItem, isPoint ? squaredLimit : -1.0}, stacks[threadIdx.x / 32]);
    if (isPoint)
        measure(i, p, nearest);
}

/// Calls `measureOf(first)(i, p, nearest)` on the device for each present point `first + i`; each launch
/// processes consecutive points starting at `first`. Points, mesh and tree are on the device. @throws
/// DeviceMemoryShort, KernelError; Cancelled.
template <class MeasureOf>
void measureAlongCurve(const Buffer<Vec3f>& points, const MeshTreeView& mesh, double squaredLimit,
                       const std::stop_token& stop, StreamView stream, const MeasureOf& measureOf) {
    forPartsAlongCurve(points, mesh.tree, kMaxQueriesPerLaunch, stop, stream,
                       [&](std::size_t first, const std::uint32_t* order, std::size_t count) {
                           const auto blocks =
                               static_cast<unsigned>((count + kPacketBlock - 1) / kPacketBlock);
                           measurePackets<<<blocks, kPacketBlock, 0, ownStream(stream)>>>(
                               points.data() + first, order, count, mesh, squaredLimit, measureOf(first));
                           check(cudaGetLastError(), "measurePackets");
                       });
}

} // namespace scanloupe::cuda
