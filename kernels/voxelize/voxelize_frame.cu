#include "kernels/voxelize/cuda_frame.cuh"

#include <cooperative_groups.h>

namespace scanloupe::cuda {

namespace {

constexpr unsigned kFrameBlock = 1024, kFrameWords = 4; // threads a block; words of the bitmap a thread

/// Blocks of the frame's kernel that are at work at the same time; 0 where the device has no such launches.
unsigned residentBlocks(const void* kernel) {
    int device = 0, can = 0, multiprocessors = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, device), "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, kFrameBlock, 0),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return can && each > 0 ? static_cast<unsigned>(multiprocessors) : 0;
}

/// What other blocks have written since the kernel began is read past the nearest cache.
struct FreshBitmapRanker {
    const RankWord* words;

    __device__ std::uint32_t rank(const DeviceCells& cells, Vec3i cell, std::size_t, bool) const {
        const std::uint32_t key = cells.shortKey(cell);
        const auto word = __ldcg(reinterpret_cast<const uint2*>(words + key / 32));
        return RankWord{word.x, word.y}.rank(key % 32);
    }
};

template <SumLayout Layout>
__global__ void __launch_bounds__(kFrameBlock) voxelizeFrame(FrameWork work) {
    const auto all = cooperative_groups::this_grid();
    const std::size_t index = globalIndex();
    const PointGroup<1> point = loadPoints<1>(work.in.positions, work.in.count, index);
    const PointKeys<std::uint32_t, 1> keys(work.cells, point);
    keys.forEachRun([&](int) { work.bits.set(keys.keys[0] / 32, keys.keys[0] % 32); });
    all.sync();

    if (blockIdx.x * std::size_t{kFrameBlock * kFrameWords} < work.words)
        rankTile<kFrameBlock, kFrameWords>(work.bits, work.ranks, work.words, nullptr, work.limit,
                                           work.counts);
    all.sync();

    const bool inRange = keys.keys[0] != keys.kNone;
    const Vec3i at[1] = {inRange ? keys.cells[0] : Vec3i{0, 0, 0}};
    const std::uint32_t rank = FreshBitmapRanker{work.ranks}.rank(work.cells, at[0], index, inRange);
    const std::uint32_t voxels[1] = {inRange && rank < work.limit ? rank : kNoVoxel};
    if (voxels[0] != kNoVoxel) // all points of a voxel write the same: listing the words would take longer
        work.out.keys[rank] = keys.keys[0];
    if (work.pointVoxel && point.count > 0)
        work.pointVoxel[index] = voxels[0];
    addGroup<Layout, 1>(work.sums, work.cells.cells, work.in, index, point, at, voxels, work.counts);
    countInWarp(&work.counts->notFinite, point.count > 0 && !inRange && !isFinite(point.points[0]));
    countInWarp(&work.counts->inDroppedVoxels, inRange && rank >= work.limit);
    all.sync();

    // warps of voxels go round the blocks, so that all multiprocessors have some
    const std::size_t round = std::size_t{gridDim.x} * kFrameBlock;
    const std::size_t place =
        (threadIdx.x / 32 * std::size_t{gridDim.x} + blockIdx.x) * 32 + threadIdx.x % 32;
    std::uint32_t averaged = 0;
    for (std::size_t voxel = place; voxel < work.limit; voxel += round)
        averaged += finishAndClear(work.sums, voxel, work.cells.cells, work.out, voxel);
    if (threadIdx.x == 0)
        work.bits.tileSums[blockIdx.x] = 0;
    countInBlock(&work.counts->averaged, averaged);
}

} // namespace

bool fitsOneLaunch(const FrameWork& work) {
    static const unsigned blocks =
        residentBlocks(reinterpret_cast<const void*>(&voxelizeFrame<SumLayout::exact>));
    const std::size_t threads = std::size_t{blocks} * kFrameBlock;
    return work.in.count <= threads && work.words <= threads * kFrameWords && blocks <= kLeastTileSums;
}

void voxelizeInOneLaunch(const FrameWork& work, StreamView stream) {
    const auto kernel = work.sums.layout == SumLayout::exact
                            ? reinterpret_cast<const void*>(&voxelizeFrame<SumLayout::exact>)
                            : reinterpret_cast<const void*>(&voxelizeFrame<SumLayout::floats>);
    const std::size_t threads =
        std::max({work.in.count, (work.words + kFrameWords - 1) / kFrameWords, std::size_t{1}});
    FrameWork copy = work;
    void* arguments[] = {&copy};
    check(cudaLaunchCooperativeKernel(kernel,
                                      dim3(static_cast<unsigned>((threads + kFrameBlock - 1) / kFrameBlock)),
                                      dim3(kFrameBlock), arguments, 0, ownStream(stream)),
          "cudaLaunchCooperativeKernel");
}

void voxelizeInSteps(const FrameWork& work, const VoxelCells& cells, StreamView stream) {
    setBits(work.in, cells, work.bits, stream);
    rankWords(work.bits, work.ranks, work.words, work.out.keys, work.limit, work.counts, stream);
    sumPoints(work.in, cells, BitmapRanker{work.ranks}, work.sums, work.limit, work.pointVoxel, work.counts,
              stream);
    finishVoxels(work.sums, nullptr, work.limit, cells, work.out, work.counts, stream, work.bits.tileSums,
                 tiles(work.words));
}

} // namespace scanloupe::cuda
