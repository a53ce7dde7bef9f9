// Voxelizes on the device with a dense grid (strategy `dense-grid`): a counter and a rank per cell. Suitable
// for small grids; the baseline for the other strategies.
#include "kernels/voxelize/averages/cuda_average.cuh"

#include <cub/device/device_scan.cuh>
#include <thrust/iterator/transform_iterator.h>

namespace scanloupe::cuda {

namespace {

template <int K>
__global__ void __launch_bounds__(kBlockSize)
    countPoints(const Vec3f* positions, std::size_t n, DeviceCells cells, std::uint32_t* points) {
    using Keys = PointKeys<std::uint32_t, K>;
    const Keys keys(cells, loadPoints<K>(positions, n, globalIndex()));
    std::uint32_t current = Keys::kNone;
    unsigned run = 0;
#pragma unroll
    for (int k = 0; k <= K; ++k) { // the additional iteration adds the last run
        const std::uint32_t key = k < K ? keys.keys[k < K ? k : 0] : Keys::kNone;
        if (key != current) {
            if (current != Keys::kNone)
                atomicAdd(points + current, run);
            current = key;
            run = 0;
        }
        ++run;
    }
}

/// Writes the keys of the occupied cells at those of their ranks that are below `limit`. @param ranks
/// inclusive sums of the flags of occupied cells
__global__ void listCells(const std::uint32_t* points, const std::uint32_t* ranks, std::size_t cells,
                          std::uint64_t* keys, std::size_t limit) {
    const std::size_t cell = globalIndex();
    if (cell < cells && points[cell] > 0 && ranks[cell] - 1 < limit)
        keys[ranks[cell] - 1] = cell;
}

__global__ void storeTotal(const std::uint32_t* ranks, std::size_t cells, Counts* counts) {
    *counts = Counts{};
    counts->voxels = ranks[cells - 1];
}

struct Occupied {
    __device__ std::uint32_t operator()(std::uint32_t points) const { return points > 0 ? 1 : 0; }
};

struct DenseRanker : PrecomputedRanks {
    const std::uint32_t* ranks; // [cells] rank of each occupied cell, plus 1

    __device__ std::uint32_t rank(const DeviceCells& cells, Vec3i cell, std::size_t, bool inRange) const {
        return inRange ? ranks[cells.shortKey(cell)] - 1 : kNoVoxel;
    }
};

} // namespace

void voxelizeByDenseGrid(const Job& job, VoxelGrid& grid) {
    const std::size_t cells = grid.shape.cellCount();
    auto points = job.zeros<std::uint32_t>(cells);
    auto ranks = job.buffer<std::uint32_t>(cells);
    auto counts = job.buffer<Counts>(1);
    withPointsPerThread(job.points.count, [&](auto perThread) {
        launch("countPoints", threadsFor(job.points.count, perThread), job.stream,
               countPoints<decltype(perThread)::value>, job.points.positions, job.points.count,
               DeviceCells(job.cells), points.data());
    });
    job.throwIfStopped();
    const auto occupied = thrust::make_transform_iterator(points.data(), Occupied{});
    job.runCub("cub::DeviceScan::InclusiveSum", [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, occupied, ranks.data(), cells,
                                             job.stream.handle());
    });
    launch("storeTotal", 1, job.stream, storeTotal, ranks.data(), cells, counts.data());
    averageByRank(job, DenseRanker{{}, ranks.data()}, counts, grid,
                  [&](std::uint64_t* keys, std::size_t limit) {
                      launch("listCells", cells, job.stream, listCells, points.data(), ranks.data(), cells,
                             keys, limit);
                  });
}

} // namespace scanloupe::cuda
