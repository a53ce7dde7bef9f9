#pragma once
// Large triangles: each block owns a tile of the picture and keeps the nearest of its pixels in registers.
#include "kernels/raster/cuda_warp.cuh"
#include "kernels/raster/tile_cell.h"

namespace scanloupe::cuda {

inline constexpr int kStampColumns = kTileEdge / 8;                         ///< stamps of 8 x 4 pixels a row
inline constexpr int kStampRows = kTileEdge / 4 / static_cast<int>(kWarps); ///< rows of stamps a warp
inline constexpr int kOwnPixels = kStampColumns * kStampRows;               ///< of a thread
inline constexpr unsigned kTileList = 128;

/// What a block needs to draw a tile; in shared memory.
struct TileShared {
    TileTriangle list[kTileList];
    unsigned count;
};

/// The nearest that a thread has seen in its pixels of a tile: one a stamp.
class OwnPixels {
public:
    __device__ OwnPixels() {
#pragma unroll
        for (int i = 0; i < kOwnPixels; ++i)
            m_best[i] = -__int_as_float(0x7f800000), m_id[i] = 0;
    }
    /// @param x, y this thread's first pixel, from the tile's
    template <bool Whole>
    __device__ void cover(const TileTriangle& over, const QueuedTriangle& triangle, int x0, int y0, int x,
                          int y, float sign) {
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
            const float atMost = fmaf(static_cast<float>(stampY), over.boundY,
                                      fmaf(static_cast<float>(stampX), over.boundX, bound));
            bool candidate = atMost >= m_best[i];
            if constexpr (!Whole) {
                const std::int32_t outside = (e[0] + stampX * over.stepX[0] + stampY * over.stepY[0]) |
                                             (e[1] + stampX * over.stepX[1] + stampY * over.stepY[1]) |
                                             (e[2] + stampX * over.stepX[2] + stampY * over.stepY[2]);
                candidate = candidate && outside >= 0;
            }
            if (!candidate)
                continue;
            const float depth = sign * exactDepth(triangle.setup, x0 + x + stampX, y0 + y + stampY);
            if (depth > m_best[i] || (depth == m_best[i] && triangle.id < m_id[i]))
                m_best[i] = depth, m_id[i] = triangle.id;
        }
    }
    template <class Pixels>
    __device__ void flush(const Pixels& pixels, const RasterView& view, int x, int y, float sign) const {
#pragma unroll
        for (int i = 0; i < kOwnPixels; ++i) {
            const int px = x + i % kStampColumns * 8, py = y + i / kStampColumns * 4;
            if (m_id[i] != 0 && px < view.width && py < view.height)
                pixels.draw(px, py, fragment(depthKey(sign * m_best[i], view.orthographic), m_id[i]));
        }
    }

private:
    float m_best[kOwnPixels]; // depth value times sign
    std::uint32_t m_id[kOwnPixels];
};

/// All large triangles in one tile.
template <class Pixels>
__device__ void drawTile(const RasterWork& work, TileShared& shared, int x0, int y0,
                         std::uint32_t triangles) {
    const float sign = work.view().orthographic ? -1.0f : 1.0f;
    const int lane = static_cast<int>(laneIndex());
    const int x = lane % 8, y = static_cast<int>(threadIdx.x / 32) * 4 * kStampRows + lane / 8;
    OwnPixels own;
    bool any = false;
    for (std::uint32_t base = 0; base < triangles; base += kTileList) {
        __syncthreads(); // the list is made anew
        if (threadIdx.x == 0)
            shared.count = 0;
        __syncthreads();
        const std::uint32_t place = base + threadIdx.x;
        if (threadIdx.x < kTileList && place < triangles) {
            TileTriangle over;
            if (overTile(work.large.items[place].setup, x0, y0, static_cast<double>(sign), over)) {
                over.place = place;
                shared.list[atomicAdd(&shared.count, 1u)] = over;
            }
        }
        __syncthreads();
        const unsigned count = shared.count;
        any = any || count > 0;
        for (unsigned i = 0; i < count; ++i) {
            const TileTriangle& over = shared.list[i];
            const QueuedTriangle& triangle = work.large.items[over.place];
            if (over.whole)
                own.cover<true>(over, triangle, x0, y0, x, y, sign);
            else
                own.cover<false>(over, triangle, x0, y0, x, y, sign);
        }
    }
    if (any)
        own.flush(Pixels(work), work.view(), x0 + x, y0 + y, sign);
}

inline int tilesAlong(int pixels) {
    return (pixels + kTileEdge - 1) / kTileEdge;
}

/// Large triangles, for any number of blocks.
template <class Pixels>
__device__ void drawTiles(const RasterWork& work, TileShared& shared) {
    const std::uint32_t triangles = ::min(work.counts->large, work.large.room);
    if (triangles == 0)
        return;
    const RasterView& view = work.view();
    const int columns = (view.width + kTileEdge - 1) / kTileEdge,
              rows = (view.height + kTileEdge - 1) / kTileEdge;
    for (int tile = static_cast<int>(blockIdx.x); tile < columns * rows; tile += static_cast<int>(gridDim.x))
        drawTile<Pixels>(work, shared, tile % columns * kTileEdge, tile / columns * kTileEdge, triangles);
}

} // namespace scanloupe::cuda
