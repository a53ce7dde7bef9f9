#include "tests/bench/device_buffer.h"
#include "tests/bench/voxelize_device.h"

#include "kernels/core/cost.h"
#include "tests/bench/voxelize_tally.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <vector>

namespace scanloupe::bench {

using cuda::check;
using cuda::globalIndex;
using cuda::launch;

namespace {

/// The number of copies of N points that together have at least twice the size of the L2 cache, at 12 bytes
/// per point, the least that a method reads.
std::size_t copiesFor(std::size_t points) {
    int l2 = 0;
    check(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0), "cudaDeviceGetAttribute");
    const std::size_t bytes = std::max<std::size_t>(points, 1) * sizeof(Vec3f);
    const std::size_t wanted = (2 * static_cast<std::size_t>(l2) + bytes - 1) / bytes;
    return std::clamp<std::size_t>(wanted, 1, 256); // with more copies, launch overhead dominates
}

__global__ void packPoints(const Vec3f* positions, const float* intensities, std::size_t n, Point4* packed) {
    const std::size_t i = globalIndex();
    if (i < n)
        packed[i] = {positions[i].x, positions[i].y, positions[i].z, intensities[i]};
}

/// The lowest 21 bits of `x`, with two zeros before each bit.
__device__ std::uint64_t spreadBits(std::uint64_t x) {
    x = (x | x << 32) & 0x001f00000000ffffULL;
    x = (x | x << 16) & 0x001f0000ff0000ffULL;
    x = (x | x << 8) & 0x100f00f00f00f00fULL;
    x = (x | x << 4) & 0x10c30c30c30c30c3ULL;
    return (x | x << 2) & 0x1249249249249249ULL;
}

/// Points outside of the range get the highest code, which is sorted last.
__global__ void findMortonCodes(const Vec3f* positions, std::size_t n, VoxelCells cells,
                                std::uint64_t outside, std::uint64_t* codes, std::uint32_t* order) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    order[i] = static_cast<std::uint32_t>(i);
    codes[i] = outside;
    if (const Vec3f p = positions[i]; cells.contains(p)) {
        const Vec3i cell = cells.cell(p);
        codes[i] = spreadBits(static_cast<std::uint64_t>(cell.x)) |
                   spreadBits(static_cast<std::uint64_t>(cell.y)) << 1 |
                   spreadBits(static_cast<std::uint64_t>(cell.z)) << 2;
    }
}

__global__ void gatherPoints(const std::uint32_t* order, std::size_t n, const Vec3f* positions,
                             const float* intensities, Vec3f* sortedPositions, float* sortedIntensities) {
    const std::size_t i = globalIndex();
    if (i >= n)
        return;
    sortedPositions[i] = positions[order[i]];
    sortedIntensities[i] = intensities[order[i]];
}

/// Copies the first of `copies` sections of a buffer into all others.
template <class T>
void repeatFirst(Buffer<T>& buffer, std::size_t copies, StreamView stream) {
    const std::size_t size = buffer.size() / copies;
    for (std::size_t i = 1; i < copies; ++i)
        detail::copyBytes(buffer.data() + i * size, MemorySpace::device, buffer.data(), MemorySpace::device,
                          size * sizeof(T), stream);
}

struct ReadGrid {
    const std::uint64_t* keys;
    const std::uint32_t* counts;
    const float* means; // [3 or more, voxels]
    std::size_t voxels;

    __device__ TallyEntry operator()(std::size_t i) const {
        TallyEntry entry{keys[i], counts[i]};
        for (std::size_t axis = 0; axis < 3; ++axis)
            entry.mean[axis] = static_cast<double>(means[axis * voxels + i]);
        return entry;
    }
};

} // namespace

DeviceCloud::DeviceCloud(std::size_t points, StreamView stream)
    : m_points(points), m_copies(copiesFor(points)),
      m_positions(deviceBuffer<Vec3f>(points * m_copies, stream)),
      m_intensities(deviceBuffer<float>(points * m_copies, stream)),
      m_packed(deviceBuffer<Point4>(points * m_copies, stream)) {}

DeviceCloud::DeviceCloud(std::span<const Vec3f> positions, std::span<const float> intensities,
                         StreamView stream)
    : DeviceCloud(positions.size(), stream) {
    detail::copyBytes(m_positions.data(), MemorySpace::device, positions.data(), MemorySpace::host,
                      positions.size_bytes(), stream);
    detail::copyBytes(m_intensities.data(), MemorySpace::device, intensities.data(), MemorySpace::host,
                      intensities.size_bytes(), stream);
    pack(stream);
}

DeviceCloud::DeviceCloud(const DeviceCloud& other, const VoxelCells& cells, double& sortMs, StreamView stream)
    : DeviceCloud(other.m_points, stream) {
    const std::size_t n = m_points;
    auto codes = deviceBuffer<std::uint64_t>(n, stream), otherCodes = deviceBuffer<std::uint64_t>(n, stream);
    auto order = deviceBuffer<std::uint32_t>(n, stream), otherOrder = deviceBuffer<std::uint32_t>(n, stream);
    cub::DoubleBuffer<std::uint64_t> sortedCodes(codes.data(), otherCodes.data());
    cub::DoubleBuffer<std::uint32_t> sortedOrder(order.data(), otherOrder.data());
    const Vec3i dims = cells.shape.dims;
    const auto longest = static_cast<std::uint32_t>(std::max({dims.x, dims.y, dims.z}));
    const int bits = 3 * std::bit_width(longest); // bits of the codes; points outside have a code of all ones
    const std::uint64_t outside = (std::uint64_t{1} << bits) - 1;
    std::size_t bytes = 0;
    const auto sort = [&](void* scratch) {
        check(cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedCodes, sortedOrder, n, 0, bits,
                                              stream.handle()),
              "cub::DeviceRadixSort::SortPairs");
    };
    sort(nullptr);
    auto scratch = deviceBuffer<std::byte>(std::max<std::size_t>(bytes, 1), stream);
    const DevicePoints from = other.copy(0);
    EventTimer timer(stream);
    launch("findMortonCodes", n, stream, findMortonCodes, from.positions, n, cells, outside, codes.data(),
           order.data());
    sort(scratch.data());
    launch("gatherPoints", n, stream, gatherPoints, sortedOrder.Current(), n, from.positions,
           from.intensities, m_positions.data(), m_intensities.data());
    timer.stop();
    pack(stream);
    sortMs = timer.elapsedMs();
}

void DeviceCloud::pack(StreamView stream) {
    launch("packPoints", m_points, stream, packPoints, m_positions.data(), m_intensities.data(), m_points,
           m_packed.data());
    repeatFirst(m_positions, m_copies, stream);
    repeatFirst(m_intensities, m_copies, stream);
    repeatFirst(m_packed, m_copies, stream);
    stream.synchronize();
}

DevicePoints DeviceCloud::copy(std::size_t i) const {
    const std::size_t first = i % m_copies * m_points;
    return {m_positions.data() + first, m_intensities.data() + first, m_packed.data() + first, m_points};
}

double copyBandwidth(StreamView stream) {
    const std::size_t bytes = std::size_t{1} << 30;
    auto from = deviceBuffer<std::byte>(bytes, stream), to = deviceBuffer<std::byte>(bytes, stream);
    check(cudaMemsetAsync(from.data(), 1, bytes, stream.handle()), "cudaMemsetAsync");
    std::vector<double> times;
    for (int i = 0; i < 13; ++i) {
        EventTimer timer(stream);
        check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, stream.handle()),
              "cudaMemcpyAsync");
        timer.stop();
        if (const double ms = timer.elapsedMs(); i >= 3) // the first three runs are warm-up
            times.push_back(ms);
    }
    std::sort(times.begin(), times.end());
    return 2.0 * static_cast<double>(bytes) / times[times.size() / 2] / 1e6;
}

Histogram tallyGrid(const VoxelGrid& grid, StreamView stream) {
    return talliedWithCentre(ReadGrid{grid.keys.data(), grid.counts.data(), grid.means.data(), grid.size()},
                             grid.size(), stream);
}

} // namespace scanloupe::bench
