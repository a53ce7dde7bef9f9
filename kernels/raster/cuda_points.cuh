#pragma once
// Draws points: a conservative test of each against the depth that its pixel has already, and the exact
// projection of those that may change it.
#include "kernels/raster/cuda_cull.cuh"
#include "kernels/raster/cuda_hiz_tiles.cuh"
#include "kernels/raster/cuda_warp.cuh"
#include "kernels/raster/point_square.h"

namespace scanloupe::cuda {

/// Draws the lanes' pixels after a look at what is there. Lanes that meet in one pixel settle it among
/// themselves, so that it does not become a queue of atomic operations.
template <class Pixels>
__device__ void drawAggregated(const Pixels& pixels, bool has, int x, int y, std::uint64_t value) {
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
    drawAggregated(pixels, single, box.minX, box.minY, value);
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

/// Points in the order of a scan meet in a pixel: `least` becomes a key that each one's pixel surely gets
/// from it, another of this lane or one of a lane beside it; 0 where that is not known. All lanes have to
/// call it.
/// @param again whether a point lies in the pixel of the one before, and both surely
/// @param all whether all of this lane's are points of the scene
__device__ inline void findLeast(const PointBounds (&points)[kPointsAThread],
                                 const bool (&again)[kPointsAThread], bool all,
                                 std::uint32_t (&least)[kPointsAThread]) {
    constexpr int last = kPointsAThread - 1;
#pragma unroll
    for (int k = 0; k <= last; ++k)
        least[k] = points[k].sure && all ? points[k].farthest : 0;
    // forth and back over those that follow each other in a pixel
    const auto spread = [&](std::uint32_t before, std::uint32_t after) {
#pragma unroll
        for (int k = 0; k <= last; ++k) {
            before = k == 0 || again[k] ? before : 0;
            before = least[k] = ::max(least[k], before);
        }
#pragma unroll
        for (int k = last; k >= 0; --k) {
            after = k == last || again[k < last ? k + 1 : k] ? after : 0;
            after = least[k] = ::max(least[k], after);
        }
    };
    spread(0, 0);
    constexpr std::uint32_t nowhere = 0xffffffffu;
    const std::uint32_t first = points[0].sure && all ? points[0].place : nowhere,
                        end = points[last].sure && all ? points[last].place : nowhere;
    const std::uint32_t before = __shfl_up_sync(kAllLanes, end, 1),
                        after = __shfl_down_sync(kAllLanes, first, 1),
                        leastBefore = __shfl_up_sync(kAllLanes, least[last], 1),
                        leastAfter = __shfl_down_sync(kAllLanes, least[0], 1);
    spread(before == first && first != nowhere ? leastBefore : 0,
           after == end && end != nowhere ? leastAfter : 0);
}

/// Points of one pixel each, four a thread at a time: most are found hidden by a quick look. Of the rest,
/// nearly all have a pixel that is sure, and only their depth is worked out exactly; some wait in a list
/// until a whole warp can take an exact look. All lanes have to make each of these calls.
template <bool Orthographic, class Pixels, class Tiles>
class SinglePixels {
public:
    static constexpr std::uint32_t kNone = 0x3fffffffu; ///< a quad past all points

    /// @param indices of `points` in the scene, or null: they are in its order
    /// @param tiles as HizTiles
    __device__ SinglePixels(const RasterWork& work, const Vec3f* points, const std::uint32_t* indices,
                            const Tiles& tiles, std::uint32_t* listed)
        : m_work(work), m_points(points), m_indices(indices), m_pixels(work), m_tiles(tiles), m_list(listed),
          m_wide(canLoadWide(points)) {}

    /// The four points from 4 * `quad` on.
    __device__ void draw(std::uint32_t quad) {
        Vec3f positions[kPointsAThread];
        loadAtOnce(m_points, m_work.scene.points, quad, m_wide, positions);
        // all their pixels' depths are on their way before the first of them is waited for
        PointBounds quick[kPointsAThread];
        std::uint32_t keys[kPointsAThread];
        bool again[kPointsAThread]; // the pixel of the point before
#pragma unroll
        for (int k = 0; k < kPointsAThread; ++k) {
            quick[k] =
                boundPoint<Orthographic>(m_work.view(), m_work.cull, positions[k], ApproximateReciprocal{});
            again[k] = k > 0 && static_cast<bool>(quick[k].sure & quick[k > 0 ? k - 1 : 0].sure &
                                                  (quick[k].place == quick[k > 0 ? k - 1 : 0].place));
            keys[k] = quick[k].sure && !again[k] ? keyAt(quick[k]) : 0;
        }
#pragma unroll
        for (int k = 1; k < kPointsAThread; ++k)
            if (again[k])
                keys[k] = keys[k - 1];
        const std::uint32_t first = quad * kPointsAThread,
                            after = m_work.scene.points - ::min(first, m_work.scene.points);
        std::uint32_t least[kPointsAThread];
        findLeast(quick, again, after >= kPointsAThread, least);
        unsigned unsure = 0, outside = 0;
#pragma unroll
        for (unsigned k = 0; k < kPointsAThread; ++k) {
            if (k >= after)
                continue;
            unsure |= quick[k].sure ? 0u : 1u << k;
            outside |= quick[k].beyond ? 0u : 1u << k;
            if (quick[k].sure && ::max(keys[k], least[k]) <= quick[k].nearest)
                drawSure(quick[k], keys[k], first + k, positions[k]);
        }
        if (__any_sync(kAllLanes, outside != 0) != 0)
            unsure &= ~culledPoints(quad, outside);
        if (__any_sync(kAllLanes, unsure != 0) == 0)
            return;
        m_list.addSome(unsure, first);
        while (m_list.isFull())
            drawList();
    }
    /// Draws what still waits.
    __device__ void finish() {
        if (!m_list.isEmpty())
            drawList();
        addOverWarp(&m_work.counts->notFinite, m_notFinite);
    }

private:
    __device__ std::uint32_t indexOf(std::uint32_t point) const {
        return m_indices != nullptr ? m_indices[point] : point;
    }
    /// The key that a point's pixel has at least: its tile's, where that hides the point.
    __device__ std::uint32_t keyAt(const PointBounds& point) const {
        const std::uint32_t ofTile = m_tiles.keyAt(point.x(), point.y());
        return ofTile > point.nearest ? ofTile : m_pixels.keyAt(point.x(), point.y());
    }
    /// A point whose pixel is known: its depth by the exact way. @param before the key that its pixel has at
    /// least
    __device__ void drawSure(const PointBounds& quick, std::uint32_t before, std::uint32_t point,
                             Vec3f position) const {
        const float z = dot(m_work.view().forward, fromEye(m_work.view(), position));
        const std::uint32_t key = depthKey(Orthographic ? z : 1.0f / z, Orthographic);
        if (key >= before) // by index where they are equal
            m_pixels.draw(quick.x(), quick.y(),
                          fragment(key, primitiveId(PrimitiveKind::point, indexOf(point))));
    }
    /// Those of some points of a quad that surely draw nothing. They are loaded anew: all of them kept in
    /// registers until here would cost the others more.
    __device__ unsigned culledPoints(std::uint32_t quad, unsigned which) const {
        unsigned nothing = 0;
        for (; which != 0; which &= which - 1) {
            const auto k = static_cast<std::uint32_t>(__ffs(static_cast<int>(which)) - 1);
            const PointCoverage point = pointCoverage<Orthographic>(
                m_work.view(), m_work.cull, m_points[quad * kPointsAThread + k], ApproximateReciprocal{});
            nothing |= point.kind == PointCoverage::nothing ? 1u << k : 0u;
        }
        return nothing;
    }
    __device__ void drawList() {
        std::uint32_t point;
        const bool has = m_list.pop(point);
        const Vec3f position = has ? m_points[point] : Vec3f{};
        const bool isNone = drawPoints<true>(m_work, m_pixels, has, has ? indexOf(point) : 0, position);
        // those of batches have been counted, but for what gets too large on the way into the view
        m_notFinite += isNone && (m_work.batches.count == 0 || isFinite(position)) ? 1 : 0;
    }

    const RasterWork& m_work;
    const Vec3f* m_points;
    const std::uint32_t* m_indices;
    const Pixels m_pixels;
    const Tiles m_tiles;
    WarpList m_list;
    bool m_wide;
    unsigned m_notFinite = 0;
};

/// Which points are drawn, by runs of a warp's.
enum class Runs : std::uint8_t {
    all,
    occluders, ///< one of kOccluderStride, strewn over the cloud
    rest,
};
inline constexpr std::uint32_t kOccluderStride = 16;

/// The i-th run of some.
template <Runs runs>
__device__ std::uint32_t runAt(std::uint32_t i) {
    return runs == Runs::all         ? i
           : runs == Runs::occluders ? i * kOccluderStride
                                     : i + i / (kOccluderStride - 1) + 1;
}

/// Points of one pixel each, for any number of blocks of any size.
template <bool Orthographic, class Pixels, Runs runs = Runs::all, class Tiles = NoHizTiles>
__device__ void drawSinglePixels(const RasterWork& work, std::uint32_t* listed, const Tiles& tiles = {}) {
    SinglePixels<Orthographic, Pixels, Tiles> points(work, work.points, nullptr, tiles, listed);
    const std::uint32_t quads = (work.scene.points + kPointsAThread - 1) / kPointsAThread,
                        stride = gridDim.x * blockDim.x / 32;
    for (std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; runAt<runs>(i) * 32 < quads;
         i += stride)
        points.draw(runAt<runs>(i) * 32 + laneIndex());
    points.finish();
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
