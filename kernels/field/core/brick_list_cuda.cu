// Lists the bricks within reach of voxels in ascending order on the device, using a ranked bitmap, or sorted
// keys where a bitmap would be too large.
#include "kernels/field/core/cuda_field.cuh"
#include "kernels/voxelize/strategies/cuda_rank_words.cuh"

#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>

namespace scanloupe::cuda {

namespace {

/// Sets the bits of `mask`. Reads first, since most bits are already set and a read is cheaper than an atomic
/// operation.
__device__ void setBits(std::uint32_t* word, std::uint32_t mask) {
    if (mask != 0 && (__ldcg(word) & mask) != mask)
        atomicOr(word, mask);
}

__global__ void markBricks(BrickReach reach, const std::uint64_t* keys, std::size_t voxels,
                           std::uint32_t* words) {
    const std::size_t i = globalIndex();
    if (i >= voxels)
        return;
    reach.forEachBrick(keys, i, [&](std::uint64_t key, int count) {
        const std::uint64_t bits = ((std::uint64_t{1} << count) - 1) << key % 32;
        setBits(words + key / 32, static_cast<std::uint32_t>(bits));
        setBits(words + key / 32 + 1, static_cast<std::uint32_t>(bits >> 32));
    });
}

Buffer<std::uint64_t> listByBits(const FieldJob& job, const BrickReach& reach, std::uint64_t bricks) {
    const std::size_t words = tiles((bricks + 31) / 32) * kTileWords;
    auto zeros = job.zeros<std::uint32_t>(words + tiles(words));
    auto ranks = job.buffer<RankWord>(words);
    auto counts = job.buffer<Counts>(1);
    const Bitmap bits{zeros.data(), zeros.data() + words};
    launch("markBricks", job.voxels.size(), job.stream, markBricks, reach, job.voxels.keys.data(),
           job.voxels.size(), bits.words);
    rankWords(bits, ranks.data(), words, nullptr, 0, counts.data(), job.stream);
    const std::size_t found = job.read(counts).voxels;
    auto keys = job.buffer<std::uint64_t>(found);
    listKeys(ranks.data(), words, keys.data(), found, job.stream);
    return keys;
}

__global__ void countReached(BrickReach reach, const std::uint64_t* keys, std::size_t voxels,
                             std::uint64_t* counts) {
    const std::size_t i = globalIndex();
    if (i > voxels)
        return;
    std::uint64_t count = 0; // 0 for the extra element at the end, which receives the total
    if (i < voxels)
        reach.forEachBrick(keys, i, [&](std::uint64_t, int row) { count += static_cast<unsigned>(row); });
    counts[i] = count;
}

__global__ void writeReached(BrickReach reach, const std::uint64_t* keys, std::size_t voxels,
                             const std::uint64_t* offsets, std::uint64_t* bricks) {
    const std::size_t i = globalIndex();
    if (i >= voxels)
        return;
    std::uint64_t* next = bricks + offsets[i];
    reach.forEachBrick(keys, i, [&](std::uint64_t key, int count) {
        for (int x = 0; x < count; ++x)
            *next++ = key + static_cast<unsigned>(x);
    });
}

/// Returns the last element of a device buffer. @note Synchronizes.
std::uint64_t readLast(const FieldJob& job, const Buffer<std::uint64_t>& from) {
    std::uint64_t last = 0;
    detail::copyBytes(&last, MemorySpace::host, from.data() + from.size() - 1, MemorySpace::device,
                      sizeof last, job.stream);
    job.stream.synchronize();
    return last;
}

Buffer<std::uint64_t> listBySort(const FieldJob& job, const BrickReach& reach, std::uint64_t bricks) {
    const std::size_t voxels = job.voxels.size();
    const cudaStream_t stream = ownStream(job.stream);
    auto offsets = job.buffer<std::uint64_t>(voxels + 1);
    launch("countReached", voxels + 1, job.stream, countReached, reach, job.voxels.keys.data(), voxels,
           offsets.data());
    runCub("cub::DeviceScan::ExclusiveSum", job.stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceScan::ExclusiveSum(scratch, bytes, offsets.data(), offsets.data(), voxels + 1,
                                             stream);
    });
    const std::size_t reached = readLast(job, offsets);
    auto all = job.buffer<std::uint64_t>(reached), other = job.buffer<std::uint64_t>(reached);
    launch("writeReached", voxels, job.stream, writeReached, reach, job.voxels.keys.data(), voxels,
           offsets.data(), all.data());
    cub::DoubleBuffer<std::uint64_t> sorted(all.data(), other.data());
    runCub("cub::DeviceRadixSort::SortKeys", job.stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(scratch, bytes, sorted, reached, 0, std::bit_width(bricks),
                                              stream);
    });
    auto count = job.buffer<std::uint64_t>(1);
    runCub("cub::DeviceSelect::Unique", job.stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceSelect::Unique(scratch, bytes, sorted.Current(), sorted.Alternate(), count.data(),
                                         reached, stream);
    });
    auto keys = job.buffer<std::uint64_t>(job.read(count));
    detail::copyBytes(keys.data(), MemorySpace::device, sorted.Alternate(), MemorySpace::device, keys.bytes(),
                      job.stream);
    return keys;
}

} // namespace

Buffer<std::uint64_t> listBricks(const FieldJob& job, Vec3i below, Vec3i above) {
    const Vec3i dims = job.brickDims;
    const BrickReach reach{job.voxels.shape, job.layout.shift, dims, below, above};
    job.throwIfStopped();
    const std::uint64_t bricks = bricksForBitmap(dims);
    auto keys =
        bricks <= kMaxBricksInBitmap
            ? listByBits(job, reach, bricks)
            : listBySort(job, reach, std::uint64_t(dims.x) * std::uint64_t(dims.y) * std::uint64_t(dims.z));
    requireIndexableBricks(keys.size());
    return keys;
}

} // namespace scanloupe::cuda
