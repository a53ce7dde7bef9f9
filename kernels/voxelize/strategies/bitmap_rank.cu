// Voxelizes on the device with a bitmap (strategy `bitmap-rank`): sets the bits of occupied cells, ranks all
// bits in one pass, and adds each point to the voxel whose index is the rank of the point's cell.
#include "kernels/voxelize/strategies/cuda_bitmap_rank.cuh"

namespace scanloupe::cuda {

namespace {

template <int K>
__global__ void __launch_bounds__(kBlockSize)
    setCellBits(const Vec3f* positions, std::size_t n, DeviceCells cells, Bitmap bits) {
    triggerDependentLaunch();
    const PointKeys<std::uint32_t, K> keys(cells, loadPoints<K>(positions, n, globalIndex()));
    keys.forEachRun([&](int k) { bits.set(keys.keys[k] / 32, keys.keys[k] % 32); });
}

} // namespace

void setBits(const PointsIn& in, const VoxelCells& cells, const Bitmap& bits, StreamView stream) {
    withPointsPerThread(in.count, [&](auto perThread) {
        launch("setCellBits", threadsFor(in.count, perThread), stream,
               setCellBits<decltype(perThread)::value>, in.positions, in.count, DeviceCells(cells), bits);
    });
}

void voxelizeByBitmapRank(const Job& job, VoxelGrid& grid) {
    const std::size_t words = bitmapWords(grid.shape);
    auto counts = job.buffer<Counts>(1);
    auto ranks = job.buffer<RankWord>(words);
    {
        auto bits = job.zeros<std::uint32_t>(words), tileSums = job.zeros<std::uint32_t>(tiles(words));
        const Bitmap bitmap{bits.data(), tileSums.data()};
        setBits(pointsIn(job), job.cells, bitmap, job.stream);
        job.throwIfStopped();
        rankWords(bitmap, ranks.data(), words, nullptr, 0, counts.data(), job.stream);
    }
    averageByRank(job, BitmapRanker{{}, ranks.data()}, counts, grid,
                  [&](std::uint64_t* keys, std::size_t limit) {
                      listKeys(ranks.data(), words, keys, limit, job.stream);
                  });
}

} // namespace scanloupe::cuda
