#pragma once
// Declares the bitmap of occupied cells, and the ranker that reads the ranks of its bits.
#include "kernels/voxelize/averages/cuda_average.cuh"
#include "kernels/voxelize/strategies/cuda_rank_words.cuh"

namespace scanloupe::cuda {

/// Returns the number of words of the bitmap, padded to whole tiles.
inline std::size_t bitmapWords(const GridShape& shape) {
    return tiles((shape.cellCount() + 31) / 32) * kTileWords;
}

struct BitmapRanker : PrecomputedRanks {
    const RankWord* words;

    __device__ std::uint32_t rank(const DeviceCells& cells, Vec3i cell, std::size_t, bool inRange) const {
        const std::uint32_t key = inRange ? cells.shortKey(cell) : 0;
        return words[key / 32].rank(key % 32);
    }
};

/// Sets the bits of the cells that contain points.
void setBits(const PointsIn& in, const VoxelCells& cells, const Bitmap& bits, StreamView stream);

} // namespace scanloupe::cuda
