// Published methods of voxelization, reimplemented from their descriptions without improvements, as baselines
// for the operator.
#include "tests/bench/device_buffer.h"
#include "tests/bench/voxelize_tally.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <cuda_fp16.h>
#include <thrust/iterator/counting_iterator.h>

namespace scanloupe::bench {

using cuda::check;
using cuda::globalIndex;
using cuda::launch;

namespace {

constexpr std::uint32_t kEmpty = 0xffffffffu; // value that marks a free slot in the published pipeline
constexpr std::uint32_t kFirstPoints = 10;    // the published pipeline averages this many points of a voxel
                                              // at most
// Sizes that the published pipeline allocates and clears, independent of the number of points.
constexpr std::size_t kPublishedPoints = 300'000;
constexpr std::size_t kPublishedVoxels = 160'000;

template <class T>
void fill(Buffer<T>& buffer, int byte, StreamView stream) {
    check(cudaMemsetAsync(buffer.data(), byte, buffer.bytes(), stream.handle()), "cudaMemsetAsync");
}

/// Half-precision means of x, y, z, intensity, stored together.
struct alignas(8) HalfMeans {
    __half values[4];
};

// ---- the hash pipeline: build the map, assign the points, average

struct HashTable {
    std::uint32_t* keys;   // [mask + 1]
    std::uint32_t* values; // [mask + 1] voxel
    std::uint32_t mask;

    /// The 64-bit finalizer of MurmurHash3 (Appleby, 2011), the hash function in the description of the
    /// pipeline.
    __device__ std::uint32_t firstSlot(std::uint32_t key) const {
        std::uint64_t h = key;
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
        h ^= h >> 33;
        h *= 0xc4ceb9fe1a85ec53ULL;
        h ^= h >> 33;
        return static_cast<std::uint32_t>(h) & mask;
    }
    __device__ std::uint32_t find(std::uint32_t key) const {
        std::uint32_t slot = firstSlot(key);
        while (keys[slot] != key && keys[slot] != kEmpty)
            slot = (slot + 1) & mask;
        return keys[slot] == key ? values[slot] : kEmpty;
    }
};

__global__ void buildHashTable(const Point4* points, std::size_t n, VoxelCells cells, HashTable table,
                               std::uint32_t* voxelCount) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Point4 p = points[i];
    const std::uint32_t key = cellIndex(cells, {p.x, p.y, p.z});
    if (key == kNoCell)
        return;
    std::uint32_t slot = table.firstSlot(key);
    while (true) {
        const std::uint32_t before = atomicCAS(table.keys + slot, kEmpty, key);
        if (before == kEmpty)
            table.values[slot] = atomicAdd(voxelCount, 1u); // no race: only the next kernel reads this value
        if (before == kEmpty || before == key)
            return;
        slot = (slot + 1) & table.mask;
    }
}

__global__ void assignPoints(const Point4* points, std::size_t n, VoxelCells cells, HashTable table,
                             std::uint32_t* counts, std::uint32_t* voxelKeys, Point4* firstPoints) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Point4 p = points[i];
    const std::uint32_t key = cellIndex(cells, {p.x, p.y, p.z});
    if (key == kNoCell)
        return;
    const std::uint32_t voxel = table.find(key);
    const std::uint32_t place = atomicAdd(counts + voxel, 1u);
    if (place == 0)
        voxelKeys[voxel] = key;
    if (place < kFirstPoints)
        firstPoints[static_cast<std::size_t>(voxel) * kFirstPoints + place] = p;
}

__global__ void averageFirstPoints(const std::uint32_t* voxelCount, const std::uint32_t* counts,
                                   const Point4* firstPoints, HalfMeans* means) {
    const std::size_t voxel = globalIndex();
    if (voxel >= *voxelCount)
        return;
    const std::uint32_t count = ::min(counts[voxel], kFirstPoints);
    Point4 sum{0, 0, 0, 0};
    for (std::uint32_t k = 0; k < count; ++k) {
        const Point4 p = firstPoints[voxel * kFirstPoints + k];
        sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z, sum.intensity + p.intensity};
    }
    const auto divisor = static_cast<float>(count);
    means[voxel] = {{__float2half_rn(sum.x / divisor), __float2half_rn(sum.y / divisor),
                     __float2half_rn(sum.z / divisor), __float2half_rn(sum.intensity / divisor)}};
}

__global__ void sumAllPoints(const Point4* points, std::size_t n, VoxelCells cells, HashTable table,
                             std::uint32_t* counts, std::uint32_t* voxelKeys, Point4* sums) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Point4 p = points[i];
    const std::uint32_t key = cellIndex(cells, {p.x, p.y, p.z});
    if (key == kNoCell)
        return;
    const std::uint32_t voxel = table.find(key);
    if (atomicAdd(counts + voxel, 1u) == 0)
        voxelKeys[voxel] = key;
    atomicAdd(&sums[voxel].x, p.x);
    atomicAdd(&sums[voxel].y, p.y);
    atomicAdd(&sums[voxel].z, p.z);
    atomicAdd(&sums[voxel].intensity, p.intensity);
}

__global__ void averageAllPoints(const std::uint32_t* voxelCount, const std::uint32_t* counts,
                                 const Point4* sums, HalfMeans* means) {
    const std::size_t voxel = globalIndex();
    if (voxel >= *voxelCount)
        return;
    const Point4 sum = sums[voxel];
    const auto divisor = static_cast<float>(counts[voxel]);
    means[voxel] = {{__float2half_rn(sum.x / divisor), __float2half_rn(sum.y / divisor),
                     __float2half_rn(sum.z / divisor), __float2half_rn(sum.intensity / divisor)}};
}

struct ReadHalfMeans {
    const std::uint32_t* keys;
    const std::uint32_t* counts; // number of points in each voxel; 0 beyond the last voxel
    const HalfMeans* means;

    __device__ TallyEntry operator()(std::size_t i) const {
        TallyEntry entry{keys[i], counts[i]};
        for (int axis = 0; axis < 3; ++axis)
            entry.mean[axis] = static_cast<double>(__half2float(means[i].values[axis]));
        return entry;
    }
};

class PublishedHash : public Method {
public:
    PublishedHash(const Setting& setting, bool allPoints, StreamView stream)
        : m_setting(setting), m_allPoints(allPoints),
          m_slots(std::bit_ceil(2 * std::max(setting.points, kPublishedPoints))),
          m_capacity(std::max<std::size_t>(setting.reference.voxels, kPublishedVoxels)),
          m_table(deviceBuffer<std::uint32_t>(2 * m_slots, stream)),
          m_counts(deviceBuffer<std::uint32_t>(m_capacity + 1, stream)),
          m_keys(deviceBuffer<std::uint32_t>(m_capacity, stream)),
          m_points(deviceBuffer<Point4>(m_capacity * (allPoints ? 1 : kFirstPoints), stream)),
          m_means(deviceBuffer<HalfMeans>(m_capacity, stream)) {}

    void run(const DevicePoints& points, StreamView stream) override {
        fill(m_table, 0xff, stream);
        fill(m_counts, 0, stream);
        fill(m_points, 0, stream);
        fill(m_means, 0, stream);
        const HashTable table{m_table.data(), m_table.data() + m_slots,
                              static_cast<std::uint32_t>(m_slots - 1)};
        // stored after the counts, so that one memset clears both
        std::uint32_t* voxelCount = m_counts.data() + m_capacity;
        launch("buildHashTable", points.count, stream, buildHashTable, points.packed, points.count,
               m_setting.cells, table, voxelCount);
        const auto assign = m_allPoints ? sumAllPoints : assignPoints;
        launch("assignPoints", points.count, stream, assign, points.packed, points.count, m_setting.cells,
               table, m_counts.data(), m_keys.data(), m_points.data());
        const auto average = m_allPoints ? averageAllPoints : averageFirstPoints;
        launch("averagePoints", m_capacity, stream, average, voxelCount, m_counts.data(), m_points.data(),
               m_means.data());
    }
    Histogram found(StreamView stream) override {
        return talliedWithCentre(ReadHalfMeans{m_keys.data(), m_counts.data(), m_means.data()}, m_capacity,
                                 stream);
    }
    std::uint64_t bytes() const override {
        const std::uint64_t cleared = m_table.bytes() + m_counts.bytes() + m_points.bytes() + m_means.bytes();
        const std::uint64_t written =
            m_setting.reference.voxels * (8 + sizeof(HalfMeans));         // key, count, means
        return 2 * m_setting.points * sizeof(Point4) + cleared + written; // the points are read twice
    }

private:
    Setting m_setting;
    bool m_allPoints;
    std::size_t m_slots, m_capacity;
    Buffer<std::uint32_t> m_table;  // [2, slots] keys and values
    Buffer<std::uint32_t> m_counts; // [capacity + 1]: points of each voxel, then the number of voxels
    Buffer<std::uint32_t> m_keys;   // [capacity]
    Buffer<Point4> m_points;        // [capacity, 10] the first points of each voxel, or [capacity] sums
    Buffer<HalfMeans> m_means;      // [capacity]
};

// ---- radix sort by cell; each voxel is then one segment

__global__ void findSortKeys(const Point4* points, std::size_t n, VoxelCells cells, std::uint32_t outside,
                             std::uint32_t* keys, std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    const Point4 p = points[i];
    const std::uint32_t key = cellIndex(cells, {p.x, p.y, p.z});
    keys[i] = key == kNoCell ? outside : key;
    order[i] = static_cast<std::uint32_t>(i);
}

constexpr unsigned kSegmentLanes = 8; // lanes of a warp that average one voxel; few lanes suffice, as most
                                      // voxels have few points

__global__ void averageSegments(const Point4* points, const std::uint32_t* order, std::size_t n,
                                const std::uint32_t* segments, std::uint32_t outside,
                                const std::uint32_t* keys, const std::uint32_t* starts, std::uint32_t* counts,
                                Point4* means) {
    const unsigned lane = threadIdx.x % kSegmentLanes;
    const unsigned group = 0xffu << (threadIdx.x % 32 / kSegmentLanes * kSegmentLanes);
    const std::size_t found = *segments;
    const std::size_t stride = static_cast<std::size_t>(gridDim.x) * (blockDim.x / kSegmentLanes);
    for (std::size_t voxel = globalIndex() / kSegmentLanes; voxel < found; voxel += stride) {
        const std::size_t begin = starts[voxel];
        const std::size_t end = keys[voxel] == outside ? begin : voxel + 1 < found ? starts[voxel + 1] : n;
        Point4 sum{0, 0, 0, 0};
        for (std::size_t i = begin + lane; i < end; i += kSegmentLanes) {
            const Point4 p = points[order[i]];
            sum = {sum.x + p.x, sum.y + p.y, sum.z + p.z, sum.intensity + p.intensity};
        }
        for (unsigned lanes = kSegmentLanes / 2; lanes > 0; lanes /= 2) {
            sum.x += __shfl_down_sync(group, sum.x, lanes, kSegmentLanes);
            sum.y += __shfl_down_sync(group, sum.y, lanes, kSegmentLanes);
            sum.z += __shfl_down_sync(group, sum.z, lanes, kSegmentLanes);
            sum.intensity += __shfl_down_sync(group, sum.intensity, lanes, kSegmentLanes);
        }
        if (lane != 0)
            continue;
        const auto divisor = static_cast<float>(end - begin);
        counts[voxel] = static_cast<std::uint32_t>(end - begin);
        means[voxel] = {sum.x / divisor, sum.y / divisor, sum.z / divisor, sum.intensity / divisor};
    }
}

struct ReadSegments {
    const std::uint32_t* segments;
    const std::uint32_t* keys;
    const std::uint32_t* counts;
    const Point4* means;

    __device__ TallyEntry operator()(std::size_t i) const {
        if (i >= *segments || counts[i] == 0) // the segment of points outside of the range has no voxel
            return {};
        return {keys[i],
                counts[i],
                0,
                {static_cast<double>(means[i].x), static_cast<double>(means[i].y),
                 static_cast<double>(means[i].z)}};
    }
};

class CubRadixSort : public Method {
public:
    CubRadixSort(const Setting& setting, StreamView stream)
        : m_setting(setting), m_outside(static_cast<std::uint32_t>(setting.cells.shape.cellCount())),
          m_keys(deviceBuffer<std::uint32_t>(2 * setting.points, stream)),
          m_order(deviceBuffer<std::uint32_t>(2 * setting.points, stream)),
          m_segments(deviceBuffer<std::uint32_t>(1, stream)),
          m_voxelKeys(deviceBuffer<std::uint32_t>(capacity(), stream)),
          m_starts(deviceBuffer<std::uint32_t>(capacity(), stream)),
          m_counts(deviceBuffer<std::uint32_t>(capacity(), stream)),
          m_means(deviceBuffer<Point4>(capacity(), stream)) {
        std::size_t sorting = 0, selecting = 0;
        auto keys = keyBuffers();
        auto order = orderBuffers();
        sort(nullptr, sorting, keys, order, stream);
        findSegments(nullptr, selecting, keys.Current(), stream);
        m_scratch = deviceBuffer<std::byte>(std::max({sorting, selecting, std::size_t{1}}), stream);
        int device = 0, processors = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
        m_blocks = static_cast<unsigned>(processors) * 8; // 2048 threads a multiprocessor
    }
    void run(const DevicePoints& points, StreamView stream) override {
        auto keys = keyBuffers();
        auto order = orderBuffers();
        launch("findSortKeys", points.count, stream, findSortKeys, points.packed, points.count,
               m_setting.cells, m_outside, keys.Current(), order.Current());
        std::size_t bytes = m_scratch.bytes();
        sort(m_scratch.data(), bytes, keys, order, stream);
        bytes = m_scratch.bytes();
        findSegments(m_scratch.data(), bytes, keys.Current(), stream);
        averageSegments<<<m_blocks, cuda::kBlockSize, 0, cuda::ownStream(stream)>>>(
            points.packed, order.Current(), points.count, m_segments.data(), m_outside, m_voxelKeys.data(),
            m_starts.data(), m_counts.data(), m_means.data());
        check(cudaGetLastError(), "averageSegments");
    }
    Histogram found(StreamView stream) override {
        return talliedWithCentre(
            ReadSegments{m_segments.data(), m_voxelKeys.data(), m_counts.data(), m_means.data()}, capacity(),
            stream);
    }
    std::uint64_t bytes() const override {
        // The points are read by the kernel of keys and by that of means. Keys and order are written once,
        // moved in each pass of eight bits, and finally read.
        const std::uint64_t passes = (static_cast<std::uint64_t>(bits()) + 7) / 8;
        return m_setting.points * (2 * sizeof(Point4) + 8 + 16 * passes + 8) +
               m_setting.reference.voxels * (12 + sizeof(Point4));
    }

private:
    // one more segment, for points outside of the range
    std::size_t capacity() const { return m_setting.reference.voxels + 1; }
    int bits() const { return std::bit_width(m_outside); }
    cub::DoubleBuffer<std::uint32_t> keyBuffers() {
        return {m_keys.data(), m_keys.data() + m_setting.points};
    }
    cub::DoubleBuffer<std::uint32_t> orderBuffers() {
        return {m_order.data(), m_order.data() + m_setting.points};
    }
    void sort(void* scratch, std::size_t& bytes, cub::DoubleBuffer<std::uint32_t>& keys,
              cub::DoubleBuffer<std::uint32_t>& order, StreamView stream) const {
        check(cub::DeviceRadixSort::SortPairs(scratch, bytes, keys, order, m_setting.points, 0, bits(),
                                              stream.handle()),
              "cub::DeviceRadixSort::SortPairs");
    }
    void findSegments(void* scratch, std::size_t& bytes, const std::uint32_t* keys, StreamView stream) {
        check(cub::DeviceSelect::UniqueByKey(scratch, bytes, keys,
                                             thrust::counting_iterator<std::uint32_t>(0), m_voxelKeys.data(),
                                             m_starts.data(), m_segments.data(),
                                             static_cast<std::uint32_t>(m_setting.points), stream.handle()),
              "cub::DeviceSelect::UniqueByKey");
    }

    Setting m_setting;
    std::uint32_t m_outside; // key of points outside of the range: the number of cells
    unsigned m_blocks = 0;
    Buffer<std::uint32_t> m_keys, m_order; // [2, N]
    Buffer<std::uint32_t> m_segments;      // [1] number of segments
    Buffer<std::uint32_t> m_voxelKeys, m_starts, m_counts;
    Buffer<Point4> m_means;
    Buffer<std::byte> m_scratch;
};

} // namespace

std::vector<MethodInfo> baselineMethods() {
    return {
        {"published-hash", "baseline",
         "hash map, the first 10 points of a voxel, half means, as it is published",
         [](const Setting& setting, StreamView stream) {
             return std::make_unique<PublishedHash>(setting, false, stream);
         }},
        {"published-hash-all", "baseline", "the same with sums of all points",
         [](const Setting& setting, StreamView stream) {
             return std::make_unique<PublishedHash>(setting, true, stream);
         }},
        {"cub-radix-sort", "baseline", "sort by 32-bit cell, needed bits only; means of all points",
         [](const Setting& setting, StreamView stream) {
             return std::make_unique<CubRadixSort>(setting, stream);
         }},
    };
}

} // namespace scanloupe::bench
