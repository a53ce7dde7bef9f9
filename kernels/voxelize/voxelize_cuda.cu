// Voxels on the device: a key for every point, a stable sort by key, one segment of the sorted points a
// voxel, integer sums. The steps and the maths of one point are those of voxelize_cpu.cpp, and so are the
// bytes of the result.
#include "kernels/core/cuda_check.h"
#include "kernels/core/cuda_memory.h"
#include "kernels/voxelize/voxel_checks.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

using Count = unsigned long long; // what atomicAdd takes for 64 bits
static_assert(sizeof(Count) == sizeof(std::uint64_t));
constexpr unsigned kFullWarp = 0xffffffffu;

/// Counted on the device, read back by the host.
struct Counts {
    Count inRange, notFinite, voxels, averaged, inDroppedVoxels, featuresNotFinite;
};

/// Adds the number of threads of this block whose `flag` is set; all threads of the block have to call it.
__device__ void countInBlock(Count* target, bool flag) {
    const int set = __syncthreads_count(flag);
    if (threadIdx.x == 0 && set > 0)
        atomicAdd(target, static_cast<Count>(set));
}

/// Points out of range get a key past all cells: the sort moves them to the end.
template <class Key>
__global__ void findKeys(const Vec3f* positions, std::size_t n, VoxelCells cells, Key pastAll, Key* keys,
                         std::uint32_t* order, std::uint32_t* pointVoxel, Counts* counts) {
    const std::size_t i = globalIndex();
    bool inRange = false, notFinite = false;
    if (i < n) {
        const Vec3f p = positions[i];
        inRange = cells.contains(p);
        notFinite = !inRange && !isFinite(p);
        keys[i] = inRange ? static_cast<Key>(cells.shape.key(cells.cell(p))) : pastAll;
        order[i] = static_cast<std::uint32_t>(i);
        pointVoxel[i] = kNoVoxel;
    }
    countInBlock(&counts->inRange, inRange);
    countInBlock(&counts->notFinite, notFinite);
}

/// 1 where a voxel begins in the sorted keys.
template <class Key>
__global__ void markStarts(const Key* keys, std::size_t n, Key pastAll, std::uint32_t* marks) {
    const std::size_t i = globalIndex();
    if (i < n)
        marks[i] = keys[i] != pastAll && (i == 0 || keys[i] != keys[i - 1]) ? 1 : 0;
}

/// Where each voxel's points begin. `ranks` are the inclusive sums of the marks: voxel + 1.
__global__ void findStarts(const std::uint32_t* ranks, std::size_t n, std::uint32_t* starts, Counts* counts) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    if (ranks[i] != (i == 0 ? 0 : ranks[i - 1]))
        starts[ranks[i] - 1] = static_cast<std::uint32_t>(i);
    if (i == n - 1)
        counts->voxels = ranks[i];
}

/// The points in range in the order of their keys, and the limits.
struct SortedPoints {
    const std::uint32_t* order;  // [inRange] index of the point
    const std::uint32_t* ranks;  // [inRange] voxel + 1
    const std::uint32_t* starts; // [voxels]
    std::size_t inRange;
    std::uint32_t voxels; // found
    std::uint32_t kept;   // of them, the first in key order
    std::uint32_t limit;  // points of a voxel that are averaged; 0: all

    /// The voxel that sorted point i is averaged into, or kNoVoxel.
    __device__ std::uint32_t voxelOf(std::size_t i) const {
        if (i >= inRange)
            return kNoVoxel;
        const std::uint32_t voxel = ranks[i] - 1;
        if (voxel >= kept)
            return kNoVoxel;
        return limit == 0 || i - starts[voxel] < limit ? voxel : kNoVoxel;
    }
    /// Points that are averaged into a voxel.
    __device__ std::uint32_t count(std::uint32_t voxel) const {
        const auto end = voxel + 1 < voxels ? starts[voxel + 1] : static_cast<std::uint32_t>(inRange);
        const std::uint32_t all = end - starts[voxel];
        return limit != 0 && limit < all ? limit : all;
    }
};

/// Adds `value` to sums[voxel]; all threads of a warp have to call it. A warp within one voxel adds once: a
/// voxel with millions of points would else serialize them all.
__device__ void addToVoxel(std::uint64_t* sums, std::uint32_t voxel, std::uint64_t value) {
    if (__all_sync(kFullWarp, voxel == __shfl_sync(kFullWarp, voxel, 0))) {
        for (int lanes = 16; lanes > 0; lanes /= 2)
            value += __shfl_down_sync(kFullWarp, value, lanes);
        if (threadIdx.x % 32 != 0)
            return;
    }
    if (voxel != kNoVoxel)
        atomicAdd(reinterpret_cast<Count*>(sums) + voxel, static_cast<Count>(value));
}

/// @param sums [3, kept]
__global__ void sumPositions(SortedPoints sorted, const Vec3f* positions, VoxelCells cells,
                             std::uint64_t* sums, std::uint32_t* pointVoxel, Counts* counts) {
    const std::size_t i = globalIndex();
    const std::uint32_t voxel = sorted.voxelOf(i);
    std::uint64_t fractions[3] = {0, 0, 0};
    if (voxel != kNoVoxel) {
        const std::uint32_t point = sorted.order[i];
        const Vec3f p = positions[point];
        const Vec3i cell = cells.cell(p);
        for (int axis = 0; axis < 3; ++axis)
            fractions[axis] = cells.fractionAlong(axis, p[axis], cell[axis]);
        pointVoxel[point] = voxel;
    }
    for (int axis = 0; axis < 3; ++axis)
        addToVoxel(sums + static_cast<std::size_t>(axis) * sorted.kept, voxel, fractions[axis]);
    countInBlock(&counts->averaged, voxel != kNoVoxel);
    countInBlock(&counts->inDroppedVoxels, i < sorted.inRange && sorted.ranks[i] - 1 >= sorted.kept);
}

/// @param sums [kept]
template <class T>
__global__ void sumFeature(SortedPoints sorted, const T* values, FeatureScale scale, std::uint64_t* sums,
                           Counts* counts) {
    const std::size_t i = globalIndex();
    const std::uint32_t voxel = sorted.voxelOf(i);
    std::uint64_t fixed = 0;
    bool finite = true;
    if (voxel != kNoVoxel)
        finite = scale.fixed(static_cast<double>(values[sorted.order[i]]), fixed);
    addToVoxel(sums, voxel, fixed);
    countInBlock(&counts->featuresNotFinite, !finite);
}

/// @param means [3, kept]
template <class Key>
__global__ void finishPositions(SortedPoints sorted, const Key* sortedKeys, const std::uint64_t* sums,
                                VoxelCells cells, std::uint64_t* keys, std::uint32_t* counts, float* means) {
    const std::size_t i = globalIndex();
    if (i >= sorted.kept)
        return;
    const auto voxel = static_cast<std::uint32_t>(i);
    const std::uint64_t key = sortedKeys[sorted.starts[voxel]];
    const std::uint32_t count = sorted.count(voxel);
    const Vec3i cell = cells.shape.cell(key);
    keys[i] = key;
    counts[i] = count;
    for (int axis = 0; axis < 3; ++axis) {
        const std::size_t at = static_cast<std::size_t>(axis) * sorted.kept + i;
        means[at] = cells.meanAlong(axis, cell[axis], sums[at], count);
    }
}

/// @param means [kept]
__global__ void finishFeature(SortedPoints sorted, const std::uint64_t* sums, FeatureScale scale,
                              float* means) {
    const std::size_t i = globalIndex();
    if (i < sorted.kept)
        means[i] = scale.mean(sums[i], sorted.count(static_cast<std::uint32_t>(i)));
}

struct Job {
    const PointsView& points;
    const VoxelizeParams& params;
    VoxelCells cells;
    std::vector<FeatureScale> scales; // [F]
    const std::stop_token& stop;
    StreamView stream;

    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, stream);
    }
    template <class T>
    void clear(Buffer<T>& buffer) const {
        if (!buffer.empty())
            check(cudaMemsetAsync(buffer.data(), 0, buffer.bytes(), stream.handle()), "cudaMemsetAsync");
    }
    void throwIfStopped() const {
        if (stop.stop_requested())
            throw Cancelled();
    }
    /// Calls a CUB algorithm twice, as all of them want it: for the size of its scratch memory, and to run.
    template <class Algorithm>
    void runCub(const char* name, Algorithm&& algorithm) const {
        std::size_t bytes = 0;
        check(algorithm(static_cast<void*>(nullptr), bytes), name);
        auto scratch =
            buffer<std::byte>(std::max<std::size_t>(bytes, 1)); // no pointer would ask for the size again
        check(algorithm(static_cast<void*>(scratch.data()), bytes), name);
        throwIfStopped();
    }
    /// @note Synchronizes.
    Counts read(const Buffer<Counts>& counts) const {
        Counts host{};
        detail::copyBytes(&host, MemorySpace::host, counts.data(), MemorySpace::device, sizeof host, stream);
        stream.synchronize();
        return host;
    }
};

void averageFeatures(const Job& job, const SortedPoints& sorted, Buffer<std::uint64_t>& sums, float* means,
                     Counts* counts) {
    for (std::size_t f = 0; f < job.scales.size(); ++f) {
        job.clear(sums);
        const FeatureView& feature = job.points.features[f];
        if (feature.type == FeatureView::Type::float32)
            launch("sumFeature", sorted.inRange, job.stream, sumFeature<float>, sorted,
                   static_cast<const float*>(feature.data), job.scales[f], sums.data(), counts);
        else
            launch("sumFeature", sorted.inRange, job.stream, sumFeature<double>, sorted,
                   static_cast<const double*>(feature.data), job.scales[f], sums.data(), counts);
        launch("finishFeature", sorted.kept, job.stream, finishFeature, sorted, sums.data(), job.scales[f],
               means + f * sorted.kept);
        job.throwIfStopped();
    }
}

template <class Key>
void voxelizeWith(const Job& job, VoxelGrid& grid) {
    const std::size_t n = job.points.count;
    const auto pastAll = static_cast<Key>(grid.shape.cellCount());
    auto counts = job.buffer<Counts>(1);
    job.clear(counts);
    auto keys = job.buffer<Key>(n), otherKeys = job.buffer<Key>(n);
    auto order = job.buffer<std::uint32_t>(n), otherOrder = job.buffer<std::uint32_t>(n);
    launch("findKeys", n, job.stream, findKeys<Key>, job.points.positions, n, job.cells, pastAll, keys.data(),
           order.data(), grid.pointVoxel.data(), counts.data());
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

    Counts found = job.read(counts);
    const std::uint64_t limit = job.params.maxVoxels;
    const std::uint64_t kept = limit == 0 ? found.voxels : std::min<std::uint64_t>(found.voxels, limit);
    grid.keys = job.buffer<std::uint64_t>(kept);
    grid.counts = job.buffer<std::uint32_t>(kept);
    grid.means = job.buffer<float>(kept * (3 + job.scales.size()));
    const SortedPoints sorted{sortedOrder.Current(),
                              ranks.data(),
                              starts.data(),
                              found.inRange,
                              static_cast<std::uint32_t>(found.voxels),
                              static_cast<std::uint32_t>(kept),
                              job.params.maxPointsPerVoxel};
    auto sums = job.buffer<std::uint64_t>(3 * kept);
    job.clear(sums);
    launch("sumPositions", sorted.inRange, job.stream, sumPositions, sorted, job.points.positions, job.cells,
           sums.data(), grid.pointVoxel.data(), counts.data());
    launch("finishPositions", sorted.kept, job.stream, finishPositions<Key>, sorted, sortedKeys.Current(),
           sums.data(), job.cells, grid.keys.data(), grid.counts.data(), grid.means.data());
    job.throwIfStopped();
    sums.shrink(kept);
    averageFeatures(job, sorted, sums, grid.means.data() + 3 * kept, counts.data());

    found = job.read(counts);
    VoxelStats& stats = grid.stats;
    stats.pointsInRange = found.inRange;
    stats.pointsNotFinite = found.notFinite;
    stats.pointsOutside = n - found.inRange - found.notFinite;
    stats.voxelsDropped = found.voxels - kept;
    stats.pointsDroppedWithVoxels = found.inDroppedVoxels;
    stats.pointsDroppedInVoxels = found.inRange - found.inDroppedVoxels - found.averaged;
    stats.featuresNotFinite = found.featuresNotFinite;
}

} // namespace

VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop,
                   StreamView stream) {
    const WallTimer timer;
    VoxelGrid grid;
    grid.shape = gridShape(params);
    const Job job{points, params, {grid.shape, params.rangeMax}, checkPoints(points), stop, stream};
    job.throwIfStopped();
    EventTimer deviceTimer(stream);
    grid.featureCount = points.features.size();
    grid.pointVoxel = job.buffer<std::uint32_t>(points.count);
    if (points.count == 0) {
        grid.keys = job.buffer<std::uint64_t>(0);
        grid.counts = job.buffer<std::uint32_t>(0);
        grid.means = job.buffer<float>(0);
    } else if (grid.shape.cellCount() < std::uint64_t{1} << 32) { // the key past all cells fits too
        voxelizeWith<std::uint32_t>(job, grid);
    } else {
        voxelizeWith<std::uint64_t>(job, grid);
    }
    deviceTimer.stop();
    grid.cost.deviceMs = deviceTimer.elapsedMs();
    grid.cost.wallMs = timer.elapsedMs();
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cuda
