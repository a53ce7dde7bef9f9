#pragma once
// Builds hierarchical depth (one level of tiles; after Greene, Kass and Miller, 1993): the farthest depth of
// each tile. All tiles fit into shared memory, so an occluded point is rejected without reading the picture.
#include "kernels/raster/core/cuda_warp.cuh"

namespace scanloupe::cuda {

/// Replaces HizTiles in frames without tiles: occludes nothing.
class NoHizTiles {
public:
    __device__ std::uint32_t keyAt(int, int) const { return 0; }
};

/// Looks up the farthest depth keys of tiles, in a block's copy of `HizWork::keys`.
class HizTiles {
public:
    /// @param keys the block's copy of `work.keys`
    __device__ HizTiles(const HizWork& work, const std::uint32_t* keys)
        : m_keys(keys), m_bitsX(work.bitsX), m_bitsY(work.bitsY), m_across(work.across) {}
    /// Returns a lower bound of a pixel's depth key: the key of its tile.
    __device__ std::uint32_t keyAt(int x, int y) const {
        return m_keys[(y >> m_bitsY) * m_across + (x >> m_bitsX)];
    }

private:
    const std::uint32_t* m_keys;
    int m_bitsX, m_bitsY, m_across;
};

/// Finds the farthest depth key of each tile, with one warp per tile. Correct for any number of blocks.
__device__ inline void buildHizTiles(const RasterWork& work) {
    const Pixels pixels(work);
    const HizWork& tiles = work.hiz;
    const int width = 1 << tiles.bitsX, height = 1 << tiles.bitsY;
    const auto warps = static_cast<int>(gridDim.x * kWarps);
    for (int tile = static_cast<int>(globalIndex() / 32); tile < tiles.count; tile += warps) {
        const int x0 = tile % tiles.across * width, y0 = tile / tiles.across * height;
        std::uint32_t farthest = 0xffffffffu;
        for (int i = static_cast<int>(laneIndex()); i < width * height; i += 32) {
            const int x = x0 + i % width, y = y0 + i / width;
            if (x < work.view().width && y < work.view().height)
                farthest = ::min(farthest, pixels.keyAt(x, y));
        }
        farthest = minOverWarp(farthest);
        if (laneIndex() == 0)
            tiles.keys[tile] = farthest;
    }
}

} // namespace scanloupe::cuda
