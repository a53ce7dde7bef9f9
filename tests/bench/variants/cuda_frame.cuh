#pragma once
// Declares the voxelization of a frame by bitmap rank in preallocated memory, for CUDA graphs.
#include "kernels/voxelize/strategies/cuda_bitmap_rank.cuh"

namespace scanloupe::cuda {

struct FrameArgs {
    PointsIn in;
    DeviceCells cells;
    Bitmap bits;
    RankWord* ranks;   // [words]
    std::size_t words; // whole tiles
    Sums sums;         // [limit], or [cells]
    VoxelsOut out;
    std::uint32_t limit;       // capacity in voxels
    std::uint32_t* pointVoxel; // [N] or null
    Counts* counts;            // [2] of the frame, and of the kernel that sums its points
};

/// Voxelizes with sums for every cell: reads the points once, and once more for `pointVoxel`.
void voxelizeByCells(const FrameArgs& args, StreamView stream);

/// Voxelizes with sums for the voxels only: sets bits, ranks them, sums the points and averages.
void voxelizeByRanks(const FrameArgs& args, StreamView stream);

} // namespace scanloupe::cuda
