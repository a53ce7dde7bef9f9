#pragma once
// A whole frame by bitmapRank, with everything it needs in memory that is there already.
#include "kernels/voxelize/cuda_bitmap_rank.cuh"

namespace scanloupe::cuda {

struct FrameArgs {
    PointsIn in;
    DeviceCells cells;
    Bitmap bits;
    RankWord* ranks;   // [words]
    std::size_t words; // whole tiles
    Sums sums;         // [limit], or [cells]
    VoxelsOut out;
    std::uint32_t limit;       // voxels that there is room for
    std::uint32_t* pointVoxel; // [N] or null
    Counts* counts;            // [2] what is found, and what is counted on the way
};

/// With sums for every cell: points are looked at once, and once more for `pointVoxel`.
void voxelizeByCells(const FrameArgs& args, StreamView stream);

/// With sums for the voxels only: bits, ranks, sums, means.
void voxelizeByRanks(const FrameArgs& args, StreamView stream);

} // namespace scanloupe::cuda
