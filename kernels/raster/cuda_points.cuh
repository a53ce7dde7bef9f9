#pragma once
// Points: a quick look at each against the depth that its pixel has already, and an exact one at what may
// change it.
#include "kernels/raster/cuda_fast.cuh"
#include "kernels/raster/cuda_warp.cuh"
#include "kernels/raster/point_square.h"

namespace scanloupe::cuda {

/// Draws the lanes' pixels after a look at what is there. Lanes that meet in one pixel settle it among
/// themselves, so that it does not become a queue of atomic operations.
template <class Pixels>
__device__ void drawTogether(const Pixels& pixels, bool has, int x, int y, std::uint64_t value) {
    const bool nearer =
        has && pixels.keyAt(x, y) <= static_cast<std::uint32_t>(value >> 32); // by id where they are equal
    unsigned left = __ballot_sync(kAllLanes, nearer);
    const std::uint32_t place = static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(x);
    constexpr int kRounds = 2, kWorthIt = 4;
    for (int round = 0; round < kRounds && __popc(left) >= kWorthIt; ++round) {
        const int leader = __ffs(static_cast<int>(left)) - 1;
        const std::uint32_t leading = __shfl_sync(kAllLanes, place, leader); // by all lanes
        const bool same = (left >> laneIndex() & 1u) != 0 && place == leading;
        const unsigned group = __ballot_sync(kAllLanes, same);
        if (__popc(group) < kWorthIt)
            break;
        const Pixel best = largestOverWarp(same ? Pixel{value} : Pixel{0});
        if (static_cast<int>(laneIndex()) == leader)
            pixels.draw(x, y, best);
        left &= ~group;
    }
    if ((left >> laneIndex() & 1u) != 0)
        pixels.draw(x, y, value);
}

/// Projects the lanes' points and draws them. @returns whether this lane's is not finite
template <bool OnePixel, class Pixels>
__device__ bool drawPoints(const RasterWork& work, const Pixels& pixels, bool has, std::uint32_t point,
                           Vec3f position) {
    const RasterView& view = work.view();
    ScreenVertex v;
    v.state = ScreenVertex::outside;
    if (has)
        v = projectVertex(view, position);
    const bool drawable = v.state == ScreenVertex::drawable;
    const std::uint64_t value =
        fragment(depthKey(v.depth, view.orthographic), primitiveId(PrimitiveKind::point, point));
    const std::int32_t edge =
        OnePixel || !drawable ? kSubpixels : pointEdge(work.pointSize, work.pointExtent, v, view);
    const PixelBox box = pointPixels(v, edge, view.width, view.height);
    const bool shown = drawable && !box.empty();
    const bool single = shown && box.minX == box.maxX && box.minY == box.maxY;
    drawTogether(pixels, single, box.minX, box.minY, value);
    if constexpr (!OnePixel) {
        constexpr std::int64_t kAlone = 64; // pixels that a lane draws by itself
        const bool several = shown && !single;
        const bool shared = several && box.count() > kAlone;
        const auto key = static_cast<std::uint32_t>(value >> 32);
        if (several && !shared)
            for (int y = box.minY; y <= box.maxY; ++y)
                for (int x = box.minX; x <= box.maxX; ++x)
                    if (pixels.keyAt(x, y) <= key)
                        pixels.draw(x, y, value);
        for (unsigned left = __ballot_sync(kAllLanes, shared); left != 0; left &= left - 1) {
            const int from = __ffs(static_cast<int>(left)) - 1, lane = static_cast<int>(laneIndex());
            const int minX = __shfl_sync(kAllLanes, box.minX, from),
                      minY = __shfl_sync(kAllLanes, box.minY, from),
                      maxX = __shfl_sync(kAllLanes, box.maxX, from),
                      maxY = __shfl_sync(kAllLanes, box.maxY, from);
            const Pixel theirs = __shfl_sync(kAllLanes, Pixel{value}, from);
            for (int y = minY + lane / 8; y <= maxY; y += 4)
                for (int x = minX + lane % 8; x <= maxX; x += 8)
                    if (pixels.keyAt(x, y) <= static_cast<std::uint32_t>(theirs >> 32))
                        pixels.draw(x, y, theirs);
        }
    }
    return v.state == ScreenVertex::notFinite;
}

inline constexpr int kPointsAThread = kLoadedAtOnce;

/// Points in the order of a scan meet in a pixel: a key that it surely gets from this lane's points or a
/// neighbour's, where all of this lane's lie in one pixel; else 0. All lanes have to call it. @param all
/// whether all of this lane's are points of the scene
__device__ inline std::uint32_t nearestAround(const QuickPoint (&points)[kPointsAThread], bool all) {
    const auto place = [](const QuickPoint& p) { return p.y << 16 | p.x; };
    bool one = static_cast<bool>(all & points[0].sure);
    std::uint32_t least = points[0].farthest;
#pragma unroll
    for (int k = 1; k < kPointsAThread; ++k) {
        one = static_cast<bool>(one & points[k].sure & (place(points[k]) == place(points[0])));
        least = ::max(least, points[k].farthest);
    }
    const std::uint32_t at = one ? place(points[0]) : 0xffffffffu;
    const std::uint32_t before = __shfl_up_sync(kAllLanes, at, 1), after = __shfl_down_sync(kAllLanes, at, 1),
                        leastBefore = __shfl_up_sync(kAllLanes, least, 1),
                        leastAfter = __shfl_down_sync(kAllLanes, least, 1);
    std::uint32_t best = least;
    if (before == at)
        best = ::max(best, leastBefore);
    if (after == at)
        best = ::max(best, leastAfter);
    return one ? best : 0;
}

/// Points of one pixel each, for any number of blocks.
template <bool Orthographic, class Pixels>
__device__ void drawSinglePixels(const RasterWork& work, std::uint32_t* listed) {
    const Pixels pixels(work);
    WarpList list(listed);
    unsigned notFinite = 0;
    const auto drawList = [&] {
        std::uint32_t point;
        const bool has = list.take(point);
        notFinite += drawPoints<true>(work, pixels, has, point, has ? work.points[point] : Vec3f{}) ? 1 : 0;
    };
    const std::uint32_t groups = (work.scene.points + kPointsAThread - 1) / kPointsAThread,
                        stride = gridDim.x * kBlockSize;
    const bool wide = canLoadWide(work.points);
    for (std::uint32_t group = blockIdx.x * kBlockSize + threadIdx.x; group - laneIndex() < groups;
         group += stride) {
        Vec3f positions[kPointsAThread];
        loadAtOnce(work.points, work.scene.points, group, wide, positions);
        // all their pixels' depths are on their way before the first of them is waited for
        QuickPoint quick[kPointsAThread];
        std::uint32_t keys[kPointsAThread];
#pragma unroll
        for (int k = 0; k < kPointsAThread; ++k) {
            quick[k] = quickPoint<Orthographic>(work.view(), work.fast, positions[k], QuickReciprocal{});
            keys[k] = 0;
            if (quick[k].sure)
                keys[k] = pixels.keyAt(static_cast<int>(quick[k].x), static_cast<int>(quick[k].y));
        }
        const std::uint32_t first = group * kPointsAThread,
                            after = work.scene.points - ::min(first, work.scene.points);
        const std::uint32_t least = nearestAround(quick, after >= kPointsAThread);
        unsigned looks = 0;
#pragma unroll
        for (int k = 0; k < kPointsAThread; ++k) {
            bool look = !(quick[k].sure && ::max(keys[k], least) > quick[k].nearest);
            if (!quick[k].beyond)
                look =
                    fastPoint<Orthographic>(work.view(), work.fast, positions[k], QuickReciprocal{}).fate !=
                    FastPoint::nothing;
            looks |= look ? 1u << k : 0u;
        }
        if (after < kPointsAThread)
            looks &= (1u << after) - 1;
        list.addSome(looks, first);
        while (list.isFull())
            drawList();
    }
    if (!list.isEmpty())
        drawList();
    addOverWarp(&work.counts->notFinite, notFinite);
}

/// Points of any size, for any number of blocks, a thread each.
template <class Pixels>
__device__ void drawSquares(const RasterWork& work) {
    const Pixels pixels(work);
    unsigned notFinite = 0;
    const std::uint32_t count = work.scene.points, stride = gridDim.x * kBlockSize;
    for (std::uint32_t point = blockIdx.x * kBlockSize + threadIdx.x; point - laneIndex() < count;
         point += stride) {
        const bool has = point < count;
        notFinite += drawPoints<false>(work, pixels, has, point, has ? work.points[point] : Vec3f{}) ? 1 : 0;
    }
    addOverWarp(&work.counts->notFinite, notFinite);
}

} // namespace scanloupe::cuda
