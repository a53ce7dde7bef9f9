// Voxelizes on the device by a stable radix sort of the points' keys (strategy `radix-sort`): a voxel's rank
// is the number of key changes before it. This is the only strategy that determines which points of a voxel
// are first in the input.
#include "kernels/voxelize/averages/cuda_average.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

/// Computes the keys of points. Points out of range get a key above all cells, so that the sort moves them to
/// the end.
template <class Key>
__global__ void findKeys(const Vec3f* positions, std::size_t n, DeviceCells cells, Key pastAll, Key* keys,
                         std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Vec3f p = positions[i];
    keys[i] = cells.contains(p) ? static_cast<Key>(cells.cells.shape.key(cells.cell(p))) : pastAll;
    order[i] = static_cast<std::uint32_t>(i);
}

/// Marks the first of the sorted keys of each voxel with 1, all others with 0.
template <class Key>
__global__ void markStarts(const Key* keys, std::size_t n, Key pastAll, std::uint32_t* marks) {
    const std::size_t i = globalIndex();
    if (i < n)
        marks[i] = keys[i] != pastAll && (i == 0 || keys[i] != keys[i - 1]) ? 1 : 0;
}

/// Finds the first sorted point of each voxel, and counts the voxels. @param ranks inclusive sums of the
/// marks: voxel + 1
__global__ void findStarts(const std::uint32_t* ranks, std::size_t n, std::uint32_t* starts, Counts* counts) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    if (ranks[i] != (i == 0 ? 0 : ranks[i - 1]))
        starts[ranks[i] - 1] = static_cast<std::uint32_t>(i);
    if (i == n - 1)
        counts->voxels = ranks[i];
}

/// The points in the order of their keys; pointers are [N] unless stated.
template <class Key>
struct SortedPoints {
    const Key* keys;
    const std::uint32_t* order;  // indices of the points
    const std::uint32_t* ranks;  // voxel of each point, plus 1
    const std::uint32_t* starts; // [voxels] position of the first point of each voxel
    std::size_t count;           // N, number of points
    Key pastAll;
};

/// Writes the voxel of each point, and the keys of the voxels.
/// @param limit maximum number of points of a voxel that are averaged; 0: no limit
/// @param kept number of voxels to keep, the first in key order
/// @param assigned [N] receives the voxel of each point in range, or kNoVoxel for points in excess of `limit`
template <class Key>
__global__ void assignVoxels(SortedPoints<Key> sorted, std::uint32_t limit, std::size_t kept,
                             std::uint64_t* keys, std::uint32_t* assigned, Counts* counts) {
    const std::size_t i = globalIndex();
    unsigned past = 0;
    if (i < sorted.count && sorted.keys[i] != sorted.pastAll) {
        const std::uint32_t voxel = sorted.ranks[i] - 1;
        const std::size_t start = sorted.starts[voxel];
        past = voxel < kept && limit != 0 && i - start >= limit;
        assigned[sorted.order[i]] = past ? kNoVoxel : voxel;
        if (i == start && voxel < kept)
            keys[voxel] = sorted.keys[i];
    }
    countInWarp(&counts->pastPointLimit, past);
}

struct AssignedRanker : PrecomputedRanks {
    const std::uint32_t* assigned; // [N] voxel of each point

    __device__ std::uint32_t rank(const DeviceCells&, Vec3i, std::size_t point, bool inRange) const {
        return inRange ? assigned[point] : kNoVoxel;
    }
};

template <class Key>
void voxelizeWith(const Job& job, VoxelGrid& grid) {
    const std::size_t n = job.points.count;
    const auto pastAll = static_cast<Key>(grid.shape.cellCount());
    auto counts = job.zeros<Counts>(1);
    auto keys = job.buffer<Key>(n), otherKeys = job.buffer<Key>(n);
    auto order = job.buffer<std::uint32_t>(n), otherOrder = job.buffer<std::uint32_t>(n);
    launch("findKeys", n, job.stream, findKeys<Key>, job.points.positions, n, DeviceCells(job.cells), pastAll,
           keys.data(), order.data());
    job.throwIfStopped();

    cub::DoubleBuffer<Key> sortedKeys(keys.data(), otherKeys.data());
    cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
    const int bits = std::bit_width(static_cast<std::uint64_t>(pastAll));
    job.runCub("cub::DeviceRadixSort::SortPairs", [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sortedOrder, n, 0, bits,
                                               job.stream.handle());
    });

    auto ranks = job.buffer<std::uint32_t>(n), starts = job.buffer<std::uint32_t>(n);
    launch("markStarts", n, job.stream, markStarts<Key>, sortedKeys.Current(), n, pastAll, ranks.data());
    job.runCub("cub::DeviceScan::InclusiveSum", [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::InclusiveSum(scratch, bytes, ranks.data(), ranks.data(), n,
                                             job.stream.handle());
    });
    launch("findStarts", n, job.stream, findStarts, ranks.data(), n, starts.data(), counts.data());

    auto assigned = job.buffer<std::uint32_t>(n);
    const SortedPoints<Key> sorted{
        sortedKeys.Current(), sortedOrder.Current(), ranks.data(), starts.data(), n, pastAll};
    averageByRank(job, AssignedRanker{{}, assigned.data()}, counts, grid,
                  [&](std::uint64_t* to, std::size_t kept) {
                      launch("assignVoxels", n, job.stream, assignVoxels<Key>, sorted,
                             job.params.maxPointsPerVoxel, kept, to, assigned.data(), counts.data());
                  });
}

} // namespace

void voxelizeByRadixSort(const Job& job, VoxelGrid& grid) {
    if (grid.shape.cellCount() < std::uint64_t{1} << 32) // the key `pastAll`, which is the number of cells,
                                                         // must fit, too
        voxelizeWith<std::uint32_t>(job, grid);
    else
        voxelizeWith<std::uint64_t>(job, grid);
}

} // namespace scanloupe::cuda
