// Finds the means of points by the cells of a grid on the GPU: sorts points by cell, sums each cell in order.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/register/cuda_voxel_means.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_select.cuh>
#include <span>
#include <thrust/iterator/counting_iterator.h>
#include <utility>
#include <vector>

namespace scanloupe::cuda {

namespace {

using Numbers = thrust::counting_iterator<std::uint32_t>;

/// Bounding box of points, as integers in the order of the coordinates, with counts.
struct BoundsFound {
    std::uint32_t low[3] = {~0U, ~0U, ~0U}, high[3] = {};
    std::uint32_t finite = 0; ///< number of finite points
    std::uint32_t cells = 0;  ///< number of cells of the previous grid
};

__host__ __device__ std::uint32_t ordered(float x) {
    const auto bits = std::bit_cast<std::uint32_t>(x);
    return bits >> 31 ? ~bits : bits | 1U << 31;
}
float fromOrdered(std::uint32_t x) {
    return std::bit_cast<float>(x >> 31 ? x & ~(1U << 31) : ~x);
}

FiniteBounds boundsOf(const BoundsFound& found) {
    FiniteBounds bounds;
    bounds.finite = found.finite;
    if (found.finite > 0)
        for (int k = 0; k < 3; ++k) {
            bounds.low[k] = fromOrdered(found.low[k]);
            bounds.high[k] = fromOrdered(found.high[k]);
        }
    return bounds;
}

/// Merges the points of a block into `found`. The order of the atomic operations does not affect the result.
/// Must be called by all threads.
__device__ void joinBounds(bool isFinite, Vec3f p, BoundsFound* found) {
    __shared__ BoundsFound shared;
    if (threadIdx.x == 0)
        shared = {};
    __syncthreads();
    if (isFinite) {
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            const std::uint32_t at = ordered(p[k]);
            if (at < shared.low[k])
                atomicMin(&shared.low[k], at);
            if (at > shared.high[k])
                atomicMax(&shared.high[k], at);
        }
    }
    const int finite = __syncthreads_count(isFinite);
    if (threadIdx.x != 0 || finite == 0)
        return;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        atomicMin(&found->low[k], shared.low[k]);
        atomicMax(&found->high[k], shared.high[k]);
    }
    atomicAdd(&found->finite, static_cast<unsigned>(finite));
}

__global__ void findPointBounds(const Vec3f* points, std::size_t count, BoundsFound* found) {
    const std::size_t i = globalIndex();
    const Vec3f p = i < count ? points[i] : Vec3f{};
    joinBounds(i < count && isFinite(p), p, found);
}

/// Computes the keys of points. Points that are not finite get a key above the keys of all cells.
template <class Key>
__global__ void findVoxelKeys(const Vec3f* points, std::size_t count, VoxelKeys grid, Key* keys,
                              std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const Vec3f p = points[i];
    keys[i] = isFinite(p) ? static_cast<Key>(grid.key(p)) : static_cast<Key>(Key{1} << grid.bits());
    order[i] = static_cast<std::uint32_t>(i);
}

template <class Key>
struct BeginsRun {
    const Key* keys;
    __device__ bool operator()(std::uint32_t i) const { return i == 0 || keys[i] != keys[i - 1]; }
};

/// Sums each cell in the order of its points, and finds the bounding box of the means.
template <class Key>
__global__ void findMeans(const Vec3f* points, const Key* sorted, const std::uint32_t* order,
                          std::uint32_t finite, const std::uint32_t* begins, std::uint64_t* keys,
                          Vec3f* means, BoundsFound* found) {
    const std::size_t cell = globalIndex();
    const std::uint32_t cells = found->cells;
    Vec3f mean;
    if (cell < cells) {
        const std::uint32_t begin = begins[cell], end = cell + 1 < cells ? begins[cell + 1] : finite;
        Vec3d sum;
#pragma unroll 4
        for (std::uint32_t i = begin; i < end; ++i)
            sum += points[order[i]].as<double>();
        mean = (sum / double(end - begin)).as<float>();
        keys[cell] = sorted[begin];
        means[cell] = mean;
    }
    joinBounds(cell < cells, mean, found);
}

class MeansFinder {
public:
    MeansFinder(const std::stop_token& stop, StreamView stream)
        : m_stop(stop), m_stream(stream), m_found(Buffer<BoundsFound>::in(MemorySpace::device, 1, stream)) {}

    BoundsFound bounds(const Buffer<Vec3f>& points) {
        clearFound();
        launch("findPointBounds", points.size(), m_stream, findPointBounds, points.data(), points.size(),
               m_found.data());
        return readFound();
    }
    /// Averages the points in each cell. @param found bounds of the points; receives the bounds of the means
    DeviceVoxelMeans means(const Buffer<Vec3f>& points, double edge, BoundsFound& found) {
        DeviceVoxelMeans means;
        means.grid = voxelGrid(boundsOf(found), edge);
        if (found.finite == 0)
            return means;
        if (means.grid.bits() < 32)
            sortAndSum<std::uint32_t>(points, means, found);
        else
            sortAndSum<std::uint64_t>(points, means, found);
        return means;
    }

private:
    template <class T>
    Buffer<T> buffer(std::size_t size) const {
        return Buffer<T>::in(MemorySpace::device, size, m_stream);
    }
    void clearFound() {
        const BoundsFound none;
        scanloupe::detail::copyBytes(m_found.data(), MemorySpace::device, &none, MemorySpace::host,
                                     sizeof none, m_stream);
    }
    BoundsFound readFound() const {
        BoundsFound found;
        scanloupe::detail::copyBytes(&found, MemorySpace::host, m_found.data(), MemorySpace::device,
                                     sizeof found, m_stream);
        m_stream.synchronize();
        if (m_stop.stop_requested())
            throw Cancelled();
        return found;
    }

    template <class Key>
    void sortAndSum(const Buffer<Vec3f>& points, DeviceVoxelMeans& means, BoundsFound& found) {
        const std::size_t n = points.size();
        auto keys = buffer<Key>(n), otherKeys = buffer<Key>(n);
        auto order = buffer<std::uint32_t>(n), otherOrder = buffer<std::uint32_t>(n);
        clearFound();
        launch("findVoxelKeys", n, m_stream, findVoxelKeys<Key>, points.data(), n, means.grid, keys.data(),
               order.data());
        cub::DoubleBuffer<Key> sortedKeys(keys.data(), otherKeys.data());
        cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
        runCub("cub::DeviceRadixSort::SortPairs", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedKeys, sortedOrder,
                                                   static_cast<int>(n), 0, means.grid.bits() + 1,
                                                   ownStream(m_stream));
        });
        auto begins = buffer<std::uint32_t>(found.finite);
        runCub("cub::DeviceSelect::If", m_stream, [&](void* scratch, std::size_t& bytes) {
            return cub::DeviceSelect::If(scratch, bytes, Numbers(0), begins.data(), &m_found.data()->cells,
                                         static_cast<int>(found.finite), BeginsRun<Key>{sortedKeys.Current()},
                                         ownStream(m_stream));
        });
        means.keys = buffer<std::uint64_t>(found.finite);
        means.means = buffer<Vec3f>(found.finite);
        launch("findMeans", found.finite, m_stream, findMeans<Key>, points.data(), sortedKeys.Current(),
               sortedOrder.Current(), found.finite, begins.data(), means.keys.data(), means.means.data(),
               m_found.data());
        found = readFound();
        means.keys.shrink(found.cells);
        means.means.shrink(found.cells);
    }

    const std::stop_token& m_stop;
    StreamView m_stream;
    Buffer<BoundsFound> m_found;
};

} // namespace

std::vector<DeviceVoxelMeans> voxelMeans(const Buffer<Vec3f>& points, std::span<const double> edges,
                                         const std::stop_token& stop, StreamView stream) {
    if (points.size() > 0x7fffffff)
        throw KernelError("a scan of 2^31 points or more cannot be sampled", "Thin the scan.");
    MeansFinder finder(stop, stream);
    BoundsFound found = finder.bounds(points);
    std::vector<DeviceVoxelMeans> means;
    for (const double edge : edges)
        means.push_back(finder.means(means.empty() ? points : means.back().means, edge, found));
    return means;
}

} // namespace scanloupe::cuda
