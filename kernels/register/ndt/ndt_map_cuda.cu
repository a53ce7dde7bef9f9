// Builds NDT maps on the GPU: sorts points by cell, sums moments with one warp per cell, and fits Gaussians.
#include "kernels/core/cuda_check.h"
#include "kernels/core/cuda_cub.cuh"
#include "kernels/core/number_text.h"
#include "kernels/register/ndt/cuda_ndt_index.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

namespace scanloupe::cuda {

namespace {

/// Bounding box of the points' cells, and the numbers of points that are in range and out of range.
struct Found {
    int low[3], high[3];
    unsigned finite, beyond;
};

struct Points {
    const Vec3f* points; // [count] points of the scan
    std::size_t count;
    RigidTransform pose; ///< from the scan to the map, relative to the map's origin
    double edge, inverseEdge;

    __device__ Vec3d place(std::size_t i) const { return pose(points[i].as<double>()); }
};

/// Finds the bounds of the cells. The order of the atomic operations does not affect the result.
__global__ void findBounds(Points from, Found* found) {
    __shared__ Found shared;
    if (threadIdx.x == 0) {
        for (int k = 0; k < 3; ++k) {
            shared.low[k] = kNdtReach;
            shared.high[k] = -kNdtReach;
        }
        shared.finite = shared.beyond = 0;
    }
    __syncthreads();
    int low[3] = {kNdtReach, kNdtReach, kNdtReach}, high[3] = {-kNdtReach, -kNdtReach, -kNdtReach};
    unsigned finite = 0, beyond = 0;
    for (std::size_t i = globalIndex(); i < from.count; i += std::size_t{gridDim.x} * blockDim.x) {
        Vec3i cell;
        if (!isFinite(from.points[i]))
            continue;
        if (!ndtCellOf(from.inverseEdge, from.place(i), cell)) {
            ++beyond;
            continue;
        }
        ++finite;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            low[k] = cell[k] < low[k] ? cell[k] : low[k];
            high[k] = cell[k] > high[k] ? cell[k] : high[k];
        }
    }
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        atomicMin(&shared.low[k], low[k]);
        atomicMax(&shared.high[k], high[k]);
    }
    atomicAdd(&shared.finite, finite);
    atomicAdd(&shared.beyond, beyond);
    __syncthreads();
    if (threadIdx.x != 0)
        return;
    for (int k = 0; k < 3; ++k) {
        atomicMin(&found->low[k], shared.low[k]);
        atomicMax(&found->high[k], shared.high[k]);
    }
    atomicAdd(&found->finite, shared.finite);
    atomicAdd(&found->beyond, shared.beyond);
}

/// Keys with as few bits as the bounds allow, in the same order as ndtKey.
struct NarrowKeys {
    Vec3i low;
    int bitsX, bitsY, bitsZ;

    __host__ __device__ int bits() const { return bitsX + bitsY + bitsZ; }
    __device__ std::uint64_t of(Vec3i cell) const {
        const auto offset = (cell - low).as<std::uint64_t>();
        return offset.z << (bitsX + bitsY) | offset.y << bitsX | offset.x;
    }
    __device__ Vec3i cell(std::uint64_t key) const {
        const auto part = [key](int shift, int width) {
            return static_cast<std::int32_t>(key >> shift & ((std::uint64_t{1} << width) - 1));
        };
        return low + Vec3i{part(0, bitsX), part(bitsX, bitsY), part(bitsX + bitsY, bitsZ)};
    }
};

/// Computes the keys of points. Points that are not finite get a key above the keys of all cells.
template <class Key>
__global__ void findKeys(Points from, NarrowKeys narrow, Key* keys, std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= from.count)
        return;
    Vec3i cell;
    const bool in = isFinite(from.points[i]) && ndtCellOf(from.inverseEdge, from.place(i), cell);
    keys[i] = in ? static_cast<Key>(narrow.of(cell)) : static_cast<Key>(Key{1} << narrow.bits());
    order[i] = static_cast<std::uint32_t>(i);
}

template <class Key>
__global__ void markRuns(const Key* keys, std::size_t finite, std::uint32_t* marks) {
    const std::size_t i = globalIndex();
    if (i < finite)
        marks[i] = i == 0 || keys[i] != keys[i - 1] ? 1 : 0;
}

/// Finds the first point of each run of equal keys. @param ranks inclusive sums of the marks: run + 1
template <class Key>
__global__ void findRuns(const Key* keys, const std::uint32_t* ranks, std::size_t finite, NarrowKeys narrow,
                         std::uint32_t* begins, Vec3i* places) {
    const std::size_t i = globalIndex();
    if (i >= finite)
        return;
    if (i == 0 || ranks[i] != ranks[i - 1]) {
        begins[ranks[i] - 1] = static_cast<std::uint32_t>(i);
        places[ranks[i] - 1] = narrow.cell(keys[i]);
    }
    if (i == finite - 1)
        begins[ranks[i]] = static_cast<std::uint32_t>(finite);
}

/// A cell's mean, relative to the cell's centre, and the second moments about that mean.
struct Moments {
    Vec3d mean;
    double squares[6];
    std::uint32_t count;
};

__device__ double sumOverWarp(double value) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2) {
        const double other = __shfl_xor_sync(kAllOfWarp, value, apart);
        value += other;
    }
    return value;
}

/// Computes moments with a warp per cell, in two passes: the mean, then the second moments about it. A lane
/// adds up every 32nd point, in the order of the points; the sums of the lanes are added up as a tree.
__global__ void sumCells(Points from, const std::uint32_t* order, const std::uint32_t* begins,
                         const Vec3i* places, std::size_t runs, std::uint32_t minPoints, Moments* moments) {
    const std::size_t run = globalIndex() / kLanes;
    const unsigned lane = threadIdx.x % kLanes;
    if (run >= runs) // the condition is equal for all lanes of the warp
        return;
    const std::uint32_t begin = begins[run], end = begins[run + 1], count = end - begin;
    if (count < minPoints) {
        if (lane == 0)
            moments[run].count = count;
        return;
    }
    const Vec3d middle = (places[run].as<double>() + Vec3d{0.5, 0.5, 0.5}) * from.edge;
    Vec3d sum;
    for (std::uint32_t i = begin + lane; i < end; i += kLanes)
        sum += from.place(order[i]) - middle;
    const Vec3d mean = Vec3d{sumOverWarp(sum.x), sumOverWarp(sum.y), sumOverWarp(sum.z)} / double(count);
    NdtSums sums;
    for (std::uint32_t i = begin + lane; i < end; i += kLanes)
        sums.add(from.place(order[i]) - middle - mean);
#pragma unroll
    for (int k = 0; k < 6; ++k) {
        const double square = sumOverWarp(sums.squares[k]);
        if (lane == 0)
            moments[run].squares[k] = square;
    }
    if (lane == 0) {
        moments[run].mean = mean;
        moments[run].count = count;
    }
}

__global__ void makeCells(const Moments* moments, const Vec3i* places, std::size_t runs, NdtMapParams params,
                          NdtCell* cells, std::uint32_t* good) {
    const std::size_t run = globalIndex();
    if (run >= runs)
        return;
    const Moments& from = moments[run];
    NdtCell cell;
    bool enough = from.count >= params.minPoints;
    if (enough) {
        cell.mean = (places[run].as<double>() + Vec3d{0.5, 0.5, 0.5}) * params.resolution + from.mean;
        enough = ndtDistribution(from.squares, from.count, params.covariance, params.leastRatio,
                                 params.resolution, cell);
    }
    cells[run] = cell;
    good[run] = enough ? 1 : 0;
}

/// Compacts the cells that have a distribution, and inserts them into the index in arbitrary order.
__global__ void insertCells(const NdtCell* from, const Vec3i* fromPlaces, const std::uint32_t* ranks,
                            std::size_t runs, double edge, NdtCell* cells, Vec3i* places, NdtSlot* slots,
                            IndexBuilder index) {
    const std::size_t run = globalIndex();
    if (run >= runs || ranks[run] == (run == 0 ? 0 : ranks[run - 1]))
        return;
    const std::uint32_t at = ranks[run] - 1;
    const NdtCell cell = from[run];
    const Vec3i place = fromPlaces[run];
    cells[at] = cell;
    places[at] = place;
    slots[at] = ndtSlot(cell, place, at, edge);
    index.insert(ndtHash(ndtKey(place)), at);
}

class Build {
public:
    Build(const Buffer<Vec3f>& points, const RigidTransform& pose, const NdtMapParams& params,
          const std::stop_token& stop, StreamView stream)
        : m_params(params), m_stop(stop), m_stream(stream), m_from{points.data(), points.size(), pose,
                                                                   params.resolution, 1 / params.resolution} {
    }

    /// @returns false if the points occupy no cell
    bool run() {
        if (m_from.count == 0)
            return false;
        const Found found = bounds();
        if (found.beyond > 0)
            throw KernelError("a scan extends more than 2^20 cells of " + shortNumber(m_params.resolution) +
                                  " m from the origin of the map",
                              "Use a larger resolution, or check the scan's pose.");
        if (found.finite == 0)
            return false;
        m_finite = found.finite;
        const auto bits = [&](int k) {
            return static_cast<int>(std::bit_width(static_cast<unsigned>(found.high[k] - found.low[k])));
        };
        m_narrow = {{found.low[0], found.low[1], found.low[2]}, bits(0), bits(1), bits(2)};
        if (m_narrow.bits() < 32)
            sortAndSum<std::uint32_t>();
        else
            sortAndSum<std::uint64_t>();
        return true;
    }

    Buffer<NdtCell> cells;
    Buffer<Vec3i> places;
    Buffer<NdtSlot> slots;
    Buffer<std::uint32_t> buckets;

private:
    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, m_stream);
    }
    void throwIfStopped() const {
        if (m_stop.stop_requested())
            throw Cancelled();
    }
    template <class T>
    T read(const T* from) const {
        T value;
        detail::copyBytes(&value, MemorySpace::host, from, MemorySpace::device, sizeof value, m_stream);
        m_stream.synchronize();
        return value;
    }

    Found bounds() const {
        Found found{{kNdtReach, kNdtReach, kNdtReach}, {-kNdtReach, -kNdtReach, -kNdtReach}, 0, 0};
        auto onDevice = buffer<Found>(1);
        detail::copyBytes(onDevice.data(), MemorySpace::device, &found, MemorySpace::host, sizeof found,
                          m_stream);
        launch("findBounds", std::min<std::size_t>(m_from.count, std::size_t{1} << 18), m_stream, findBounds,
               m_from, onDevice.data());
        return read(onDevice.data());
    }

    template <class Key>
    void sortAndSum() {
        const std::size_t n = m_from.count;
        auto keys = buffer<Key>(n), otherKeys = buffer<Key>(n);
        auto order = buffer<std::uint32_t>(n), otherOrder = buffer<std::uint32_t>(n);
        launch("findKeys", n, m_stream, findKeys<Key>, m_from, m_narrow, keys.data(), order.data());
        cub::DoubleBuffer<Key> sortedKeys(keys.data(), otherKeys.data());
        cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
        runCub("cub::DeviceRadixSort::SortPairs", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sortedOrder, n, 0,
                                                   m_narrow.bits() + 1, m_stream.handle());
        });
        throwIfStopped();
        auto ranks = buffer<std::uint32_t>(m_finite);
        launch("markRuns", m_finite, m_stream, markRuns<Key>, sortedKeys.Current(), m_finite, ranks.data());
        inclusiveSum(ranks, m_finite);
        const std::size_t runs = read(ranks.data() + m_finite - 1);
        auto begins = buffer<std::uint32_t>(runs + 1);
        auto runPlaces = buffer<Vec3i>(runs);
        launch("findRuns", m_finite, m_stream, findRuns<Key>, sortedKeys.Current(), ranks.data(), m_finite,
               m_narrow, begins.data(), runPlaces.data());
        auto moments = buffer<Moments>(runs);
        launch("sumCells", runs * kLanes, m_stream, sumCells, m_from, sortedOrder.Current(), begins.data(),
               runPlaces.data(), runs, m_params.minPoints, moments.data());
        throwIfStopped();
        keep(moments, runPlaces, runs);
    }

    void inclusiveSum(Buffer<std::uint32_t>& values, std::size_t count) const {
        runCub("cub::DeviceScan::InclusiveSum", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceScan::InclusiveSum(scratch, bytes, values.data(), values.data(), count,
                                                 m_stream.handle());
        });
    }

    void keep(const Buffer<Moments>& moments, const Buffer<Vec3i>& runPlaces, std::size_t runs) {
        auto all = buffer<NdtCell>(runs);
        auto ranks = buffer<std::uint32_t>(runs);
        launch("makeCells", runs, m_stream, makeCells, moments.data(), runPlaces.data(), runs, m_params,
               all.data(), ranks.data());
        inclusiveSum(ranks, runs);
        const std::size_t count = read(ranks.data() + runs - 1);
        requireTable(count);
        cells = buffer<NdtCell>(count);
        places = buffer<Vec3i>(count);
        slots = buffer<NdtSlot>(count);
        buckets = newBuckets(count, m_stream);
        launch("insertCells", runs, m_stream, insertCells, all.data(), runPlaces.data(), ranks.data(), runs,
               m_params.resolution, cells.data(), places.data(), slots.data(),
               IndexBuilder(buckets.data(), count));
    }

    NdtMapParams m_params;
    const std::stop_token& m_stop;
    StreamView m_stream;
    Points m_from;
    std::size_t m_finite = 0;
    NarrowKeys m_narrow{};
};

} // namespace

NdtDeviceMap::NdtDeviceMap(const NdtMap& map, StreamView stream)
    : m_params(map.params()), m_origin(map.origin()) {
    requireTable(map.cells().size());
    std::vector<Vec3i> places;
    places.reserve(map.cells().size());
    for (std::uint32_t i = 0; i < map.cells().size(); ++i)
        places.push_back(map.cellPlace(i));
    const NdtTable table =
        ndtTable(map.cells(), m_params.resolution, [&places](std::uint32_t i) { return places[i]; });
    const auto upload = [&]<class T>(std::span<const T> values) {
        auto there = Buffer<T>::in(MemorySpace::device, values.size(), stream);
        detail::copyBytes(there.data(), MemorySpace::device, values.data(), MemorySpace::host, there.bytes(),
                          stream);
        return there;
    };
    m_slots = upload(std::span<const NdtSlot>(table.cellSlots));
    m_buckets = upload(std::span<const std::uint32_t>(table.buckets));
    m_cells = upload(map.cells());
    m_places = upload(std::span<const Vec3i>(places));
    buildNeighbourLists(stream); // synchronizes: the uploaded vectors are freed next
}

NdtDeviceMap::NdtDeviceMap(const Buffer<Vec3f>& points, Vec3d origin, const RigidTransform& pose,
                           const NdtMapParams& params, const std::stop_token& stop, StreamView stream)
    : m_params(NdtMap(params).params()) { // the constructor of NdtMap checks their ranges
    if (!isFinite(origin) || !isFinite(pose))
        throw KernelError("the pose or origin of a scan is not finite", "Check the poses that were read.");
    if (points.size() >= kNoCell)
        throw KernelError("a map of 2^32 points or more cannot be built at once",
                          "Add the scans one after another, on the CPU.");
    m_origin = ndtMapOrigin(pose(origin), params.resolution);
    RigidTransform local = pose;
    local.translation = pose(origin) - m_origin;
    Build build(points, local, params, stop, stream);
    if (build.run()) {
        m_cells = std::move(build.cells);
        m_places = std::move(build.places);
        m_slots = std::move(build.slots);
        m_buckets = std::move(build.buckets);
    } else {
        m_buckets = newBuckets(0, stream);
    }
    if (stop.stop_requested())
        throw Cancelled();
    buildNeighbourLists(stream); // synchronizes: other streams may use the map next
}

std::vector<NdtCell> NdtDeviceMap::cells(StreamView stream) const {
    const auto there = m_cells.copyTo(MemorySpace::host, stream);
    return {there.data(), there.data() + there.size()};
}
std::vector<Vec3i> NdtDeviceMap::cellPlaces(StreamView stream) const {
    const auto there = m_places.copyTo(MemorySpace::host, stream);
    return {there.data(), there.data() + there.size()};
}

NdtTableView NdtDeviceMap::table(NdtNeighbours neighbours, double outlierRatio) const {
    NdtTableView view = ndtTableView(m_buckets.data(), m_slots.data(), m_cells.size(), m_params.resolution,
                                     neighbours, outlierRatio);
    view.neighbourListIndex = ndtIndex(m_neighbourListBuckets.data(), m_neighbourLists.size());
    view.neighbourLists = m_neighbourLists.data();
    return view;
}

} // namespace scanloupe::cuda
