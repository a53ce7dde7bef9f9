#pragma once
// Rasterizes large triangles tile by tile: each block owns a tile of the picture and keeps the nearest
// fragments of its pixels in registers.
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/triangles/queued_triangle.cuh"
#include "kernels/raster/triangles/tile_element.h"

namespace scanloupe::cuda {

inline constexpr int kStampColumns = kTileEdge / 8; ///< number of stamps of 8 x 4 pixels per row of a tile
/// number of rows of stamps per warp
inline constexpr int kStampRows = kTileEdge / 4 / static_cast<int>(kWarps);
inline constexpr int kOwnPixels = kStampColumns * kStampRows; ///< number of pixels of a tile per thread
inline constexpr unsigned kTileList = 128;

/// Shared memory of a block that draws a tile.
struct TileShared {
    TileTriangle list[kTileList];
    float middle[kTileList];       ///< upper bound of the nearness of each triangle at the tile's centre
    std::uint8_t order[kTileList]; ///< indices into `list`, the triangles nearest at the centre first
    unsigned count;
};

/// The nearest fragments of those pixels of a tile that belong to this thread: one pixel per stamp.
class OwnPixels {
public:
    /// @param columns, rows number of columns and rows from this thread's first pixel to the picture's end
    __device__ OwnPixels(int columns, int rows) {
        const float infinite = __int_as_float(0x7f800000);
#pragma unroll
        for (int i = 0; i < kOwnPixels; ++i) {
            const bool shown = i % kStampColumns * 8 < columns && i / kStampColumns * 4 < rows;
            m_best[i] = shown ? -infinite : infinite, m_id[i] = 0;
        }
    }
    /// Keeps the triangle's fragments that are nearer than the current ones. @param x, y position of this
    /// thread's first pixel in the tile @param sign see overTile()
    template <bool Whole>
    __device__ void cover(const TileTriangle& over, int x, int y, float sign) {
        const float bound =
            fmaf(static_cast<float>(y), over.boundY, fmaf(static_cast<float>(x), over.boundX, over.bound));
        std::int32_t e[3];
        if constexpr (!Whole)
#pragma unroll
            for (int i = 0; i < 3; ++i)
                e[i] = over.at[i] + x * over.stepX[i] + y * over.stepY[i];
#pragma unroll
        for (int i = 0; i < kOwnPixels; ++i) {
            const int stampX = i % kStampColumns * 8, stampY = i / kStampColumns * 4;
            const float atMost = fmaf(static_cast<float>(stampX), over.boundX,
                                      fmaf(static_cast<float>(stampY), over.boundY, bound));
            bool candidate = atMost >= m_best[i];
            if constexpr (!Whole) {
                const std::int32_t outside = (e[0] + stampX * over.stepX[0] + stampY * over.stepY[0]) |
                                             (e[1] + stampX * over.stepX[1] + stampY * over.stepY[1]) |
                                             (e[2] + stampX * over.stepX[2] + stampY * over.stepY[2]);
                candidate = candidate && outside >= 0;
            }
            if (!candidate)
                continue;
            const float depth = sign * exactDepth(over, x + stampX, y + stampY);
            if (depth > m_best[i] || (depth == m_best[i] && over.id < m_id[i]))
                m_best[i] = depth, m_id[i] = over.id;
        }
    }
    /// Returns the farthest of the nearest fragments of the warp's pixels. Must be called by all lanes.
    __device__ float farthestOfWarp() const {
        float farthest = m_best[0];
#pragma unroll
        for (int i = 1; i < kOwnPixels; ++i)
            farthest = fminf(farthest, m_best[i]);
#pragma unroll
        for (int lanes = 16; lanes > 0; lanes /= 2)
            farthest = fminf(farthest, __shfl_xor_sync(kAllLanes, farthest, lanes));
        return farthest;
    }
    __device__ void flush(const Pixels& pixels, const RasterView& view, int x, int y, float sign) const {
#pragma unroll
        for (int i = 0; i < kOwnPixels; ++i) {
            const int px = x + i % kStampColumns * 8, py = y + i / kStampColumns * 4;
            if (m_id[i] != 0 && px < view.width && py < view.height)
                pixels.draw(px, py, fragment(depthKey(sign * m_best[i], view.orthographic), m_id[i]));
        }
    }

private:
    float m_best[kOwnPixels]; // depth value times `sign` of each pixel; infinite outside the picture
    std::uint32_t m_id[kOwnPixels];
};

/// Returns an upper bound of a triangle's nearness in a warp's rows of a tile; -infinity if the triangle
/// covers none of their pixels.
/// @param y the first of these rows in the tile
__device__ inline float nearestOver(const TileTriangle& over, int y) {
    constexpr int lastX = kTileEdge - 1, lastY = kStampRows * 4 - 1;
    const float nearest =
        fmaf(static_cast<float>(over.boundY > 0 ? y + lastY : y), over.boundY,
             fmaf(over.boundX > 0 ? static_cast<float>(lastX) : 0.0f, over.boundX, over.bound));
    bool inside = true;
#pragma unroll
    for (int i = 0; i < 3; ++i)
        inside = inside && over.at[i] + (over.stepX[i] > 0 ? lastX : 0) * over.stepX[i] +
                                   (over.stepY[i] > 0 ? y + lastY : y) * over.stepY[i] >=
                               0;
    return inside ? nearest : -__int_as_float(0x7f800000);
}

/// Sorts the list of triangles of a tile front to back, so that triangles are drawn before most triangles
/// that they occlude. Must be called by all threads.
__device__ inline void orderTile(TileShared& shared, unsigned count) {
    if (threadIdx.x < count) {
        const float mine = shared.middle[threadIdx.x];
        unsigned before = 0;
        for (unsigned i = 0; i < count; ++i) {
            const float other = shared.middle[i];
            before += other > mine || (other == mine && i < threadIdx.x) ? 1 : 0;
        }
        shared.order[before] = static_cast<std::uint8_t>(threadIdx.x);
    }
    __syncthreads();
}

/// Draws the parts of all large triangles that are in one tile.
__device__ inline void drawTile(const RasterWork& work, TileShared& shared, int x0, int y0,
                                std::uint32_t triangles) {
    static_assert(kTileList <= kBlockSize);
    const RasterView& view = work.view();
    const float sign = view.orthographic ? -1.0f : 1.0f;
    const int lane = static_cast<int>(laneIndex()),
              warpY = static_cast<int>(threadIdx.x / 32) * 4 * kStampRows;
    const int x = lane % 8, y = warpY + lane / 8;
    OwnPixels own(view.width - x0 - x, view.height - y0 - y);
    float farthest = -__int_as_float(0x7f800000);
    bool any = false;
    for (std::uint32_t base = 0; base < triangles; base += kTileList) {
        __syncthreads(); // all threads have read the list
        if (threadIdx.x == 0)
            shared.count = 0;
        __syncthreads();
        const std::uint32_t place = base + threadIdx.x;
        if (threadIdx.x < kTileList && place < triangles) {
            TileTriangle over;
            if (overTile(work.large.items[place].setup, x0, y0, static_cast<double>(sign), over)) {
                over.id = work.large.items[place].id;
                const unsigned slot = atomicAdd(&shared.count, 1u);
                constexpr float middle = kTileEdge / 2;
                shared.middle[slot] = fmaf(middle, over.boundX + over.boundY, over.bound);
                shared.list[slot] = over;
            }
        }
        __syncthreads();
        const unsigned count = shared.count;
        orderTile(shared, count);
        any = any || count > 0;
        for (unsigned first = 0; first < count; first += 32) { // each lane tests one triangle
            const unsigned place = first + laneIndex();
            const float nearest = place < count ? nearestOver(shared.list[shared.order[place]], warpY)
                                                : -__int_as_float(0x7f800000);
            const bool covers = nearest > -__int_as_float(0x7f800000);
            unsigned left = __ballot_sync(kAllLanes, covers && nearest >= farthest);
            while (left != 0) {
                const int next = __ffs(static_cast<int>(left)) - 1;
                const TileTriangle& over = shared.list[shared.order[first + static_cast<unsigned>(next)]];
                if (over.whole)
                    own.cover<true>(over, x, y, sign);
                else
                    own.cover<false>(over, x, y, sign);
                farthest = own.farthestOfWarp();
                left &= left - 1;
                left &= __ballot_sync(kAllLanes, nearest >= farthest);
            }
        }
    }
    if (any)
        own.flush(Pixels(work), view, x0 + x, y0 + y, sign);
}

inline int tilesAlong(int pixels) {
    return (pixels + kTileEdge - 1) / kTileEdge;
}

/// Draws the large triangles. Correct for any number of blocks.
__device__ inline void drawTiles(const RasterWork& work, TileShared& shared) {
    const std::uint32_t triangles = ::min(work.counts->large, work.large.capacity);
    if (triangles == 0)
        return;
    const RasterView& view = work.view();
    const int columns = (view.width + kTileEdge - 1) / kTileEdge,
              rows = (view.height + kTileEdge - 1) / kTileEdge;
    for (int tile = static_cast<int>(blockIdx.x); tile < columns * rows; tile += static_cast<int>(gridDim.x))
        drawTile(work, shared, tile % columns * kTileEdge, tile / columns * kTileEdge, triangles);
}

} // namespace scanloupe::cuda
