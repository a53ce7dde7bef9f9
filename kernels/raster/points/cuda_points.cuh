#pragma once
// Draws points. Each point is first tested conservatively against the current depth of its pixel; only points
// that may change it are projected exactly.
#include "kernels/raster/core/cuda_cull.cuh"
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/points/cuda_hiz_tiles.cuh"
#include "kernels/raster/points/point_square.h"

namespace scanloupe::cuda {

/// Draws a pixel per lane, unless it already shows something nearer. Lanes with the same pixel first find the
/// nearest among themselves, since atomic operations on one address are serialized.
__device__ inline void drawAggregated(const Pixels& pixels, bool has, int x, int y, std::uint64_t value) {
    // equal depth keys are decided by id
    const bool nearer = has && pixels.keyAt(x, y) <= static_cast<std::uint32_t>(value >> 32);
    unsigned left = __ballot_sync(kAllLanes, nearer);
    const std::uint32_t place = static_cast<std::uint32_t>(y) << 16 | static_cast<std::uint32_t>(x);
    constexpr int kRounds = 2, kWorthIt = 4;
    for (int round = 0; round < kRounds && __popc(left) >= kWorthIt; ++round) {
        const int leader = __ffs(static_cast<int>(left)) - 1;
        // executed by all lanes, as the shuffle requires
        const std::uint32_t leading = __shfl_sync(kAllLanes, place, leader);
        const bool same = (left >> laneIndex() & 1u) != 0 && place == leading;
        const unsigned group = __ballot_sync(kAllLanes, same);
        if (__popc(group) < kWorthIt)
            break;
        const Pixel best = maxOverWarp(same ? Pixel{value} : Pixel{0});
        if (static_cast<int>(laneIndex()) == leader)
            pixels.draw(x, y, best);
        left &= ~group;
    }
    if ((left >> laneIndex() & 1u) != 0)
        pixels.draw(x, y, value);
}

/// Projects and draws a point per lane. @returns whether this lane's point is not finite
template <bool OnePixel>
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
        constexpr std::int64_t kAlone = 64; // maximum number of pixels of a point that a lane draws by itself
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

/// Finds for each point a lower bound of the final depth key of its pixel, from this point or from others in
/// the same pixel, of this lane or of a neighbouring lane: consecutive points of a scan often share a pixel.
/// Must be called by all lanes.
/// @param again whether a point and its predecessor are certainly in the same pixel
/// @param all whether all of this lane's points are points of the scene
/// @param least receives the keys; 0 if no bound is known
__device__ inline void findKeyLowerBounds(const PointBounds (&points)[kPointsAThread],
                                          const bool (&again)[kPointsAThread], bool all,
                                          std::uint32_t (&least)[kPointsAThread]) {
    constexpr int last = kPointsAThread - 1;
#pragma unroll
    for (int k = 0; k <= last; ++k)
        least[k] = points[k].sure && all ? points[k].farthest : 0;
    // propagates the maximum forwards and backwards along each run of points in one pixel; `before` and
    // `after` are the maxima of the neighbouring lanes
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

/// Draws points of one pixel each, four per thread at a time. Most points are rejected by their bounds.
/// Nearly all others have a certain pixel, and only their depth is computed exactly. The remaining points are
/// collected in a list until a full warp can be projected exactly. Each method must be called by all lanes.
template <bool Orthographic, class Tiles>
class SinglePixels {
public:
    static constexpr std::uint32_t kNone = 0x3fffffffu; ///< marks a missing quad: larger than the index of
                                                        ///< any quad

    /// @param indices scene indices of `points`; null: they are in the scene's order
    /// @param tiles HizTiles or NoHizTiles
    __device__ SinglePixels(const RasterWork& work, const Vec3f* points, const std::uint32_t* indices,
                            const Tiles& tiles, std::uint32_t* listed)
        : m_work(work), m_points(points), m_indices(indices), m_pixels(work), m_tiles(tiles), m_list(listed),
          m_wide(canLoadWide(points)) {}

    /// Draws the four points that start at index 4 * `quad`.
    __device__ void draw(std::uint32_t quad) {
        Vec3f positions[kPointsAThread];
        loadAtOnce(m_points, m_work.scene.points, quad, m_wide, positions);
        // All loads of depth keys are issued before the first result is used.
        PointBounds quick[kPointsAThread];
        std::uint32_t keys[kPointsAThread];
        bool again[kPointsAThread]; // whether the point is in the pixel of the previous point
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
        findKeyLowerBounds(quick, again, after >= kPointsAThread, least);
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
    /// Draws the points that are still in the list.
    __device__ void finish() {
        if (!m_list.isEmpty())
            drawList();
        addOverWarp(&m_work.counts->notFinite, m_notFinite);
    }

private:
    __device__ std::uint32_t indexOf(std::uint32_t point) const {
        return m_indices != nullptr ? m_indices[point] : point;
    }
    /// Returns a lower bound of the depth key of a point's pixel: the tile's key if it occludes the point,
    /// otherwise the pixel's own.
    __device__ std::uint32_t keyAt(const PointBounds& point) const {
        const std::uint32_t ofTile = m_tiles.keyAt(point.x(), point.y());
        return ofTile > point.nearest ? ofTile : m_pixels.keyAt(point.x(), point.y());
    }
    /// Draws a point with a certain pixel, with its exact depth. @param before lower bound of the pixel's
    /// depth key
    __device__ void drawSure(const PointBounds& quick, std::uint32_t before, std::uint32_t point,
                             Vec3f position) const {
        const float z = dot(m_work.view().forward, fromEye(m_work.view(), position));
        const std::uint32_t key = depthKey(Orthographic ? z : 1.0f / z, Orthographic);
        if (key >= before) // equal depth keys are decided by index
            m_pixels.draw(quick.x(), quick.y(),
                          fragment(key, primitiveId(PrimitiveKind::point, indexOf(point))));
    }
    /// Returns the mask of the points among `which` of a quad that certainly draw nothing. Their positions
    /// are loaded again, since keeping them in registers would slow down all other points.
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
        // With batches, points that are not finite were counted when the batches were built; only points that
        // overflow in view coordinates are added here.
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

/// A subset of the points, in runs of 32 quads; a warp draws one run at a time.
enum class Runs : std::uint8_t {
    all,
    occluders, ///< one run in kOccluderStride, evenly spread over the cloud
    rest,
};
inline constexpr std::uint32_t kOccluderStride = 16;

/// Returns the index of the i-th run of a subset.
template <Runs runs>
__device__ std::uint32_t runAt(std::uint32_t i) {
    return runs == Runs::all         ? i
           : runs == Runs::occluders ? i * kOccluderStride
                                     : i + i / (kOccluderStride - 1) + 1;
}

/// Draws points of one pixel each. Correct for any number of blocks of any size.
template <bool Orthographic, Runs runs = Runs::all, class Tiles = NoHizTiles>
__device__ void drawSinglePixels(const RasterWork& work, std::uint32_t* listed, const Tiles& tiles = {}) {
    SinglePixels<Orthographic, Tiles> points(work, work.points, nullptr, tiles, listed);
    const std::uint32_t quads = (work.scene.points + kPointsAThread - 1) / kPointsAThread,
                        stride = gridDim.x * blockDim.x / 32;
    for (std::uint32_t i = (blockIdx.x * blockDim.x + threadIdx.x) / 32; runAt<runs>(i) * 32 < quads;
         i += stride)
        points.draw(runAt<runs>(i) * 32 + laneIndex());
    points.finish();
}

/// Draws points of any size, with one thread each. Correct for any number of blocks.
__device__ inline void drawSquares(const RasterWork& work) {
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
