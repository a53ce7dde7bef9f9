// Builds batches of points on the device: their bounding boxes, and the order along a Morton curve.
#include "kernels/core/cuda_cub.cuh"
#include "kernels/raster/core/cuda_warp.cuh"
#include "kernels/raster/core/raster_checks.h"
#include "kernels/raster/points/batch_element.h"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <string>

namespace scanloupe::cuda {

namespace {

/// Bounding box and counts of a cloud. Floats are stored as ordered(), for atomic minimum and maximum.
struct CloudTotals {
    std::uint32_t low[3], high[3];
    unsigned long long notFinite, oversized;
};

HD std::uint32_t ordered(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    return bits >> 31 ? ~bits : bits | 1u << 31;
}
HD float fromOrdered(std::uint32_t v) {
    return std::bit_cast<float>(v >> 31 ? v & ~(1u << 31) : ~v);
}

/// A bounding box of points. Floats are stored as ordered().
struct Box {
    std::uint32_t low[3] = {~0u, ~0u, ~0u}, high[3] = {0, 0, 0};

    __device__ void add(Vec3f p) {
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            low[k] = ::min(low[k], ordered(p[k]));
            high[k] = ::max(high[k], ordered(p[k]));
        }
    }
    __device__ bool isEmpty() const {
        return high[0] == 0;
    }
    __device__ Vec3f lower() const {
        return {fromOrdered(low[0]), fromOrdered(low[1]), fromOrdered(low[2])};
    }
    __device__ Vec3f upper() const {
        return {fromOrdered(high[0]), fromOrdered(high[1]), fromOrdered(high[2])};
    }
};

__global__ void resetTotals(CloudTotals* totals) {
    if (globalIndex() == 0)
        *totals = {{~0u, ~0u, ~0u}, {0, 0, 0}, 0, 0};
}

__global__ void __launch_bounds__(kBlockSize)
    measureKernel(const Vec3f* points, std::size_t count, CloudTotals* totals) {
    Box box;
    const std::size_t stride = std::size_t{gridDim.x} * kBlockSize;
    for (std::size_t i = globalIndex(); i < count; i += stride)
        if (canBeBoxed(points[i]))
            box.add(points[i]);
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const std::uint32_t low = minOverWarp(box.low[k]), high = maxOverWarp(box.high[k]);
        if (laneIndex() == 0 && low <= high) {
            atomicMin(&totals->low[k], low);
            atomicMax(&totals->high[k], high);
        }
    }
}

/// Computes the boxes of batches and groups, with one block per batch and one thread per group.
__global__ void __launch_bounds__(kBatchGroups)
    boxKernel(const Vec3f* points, std::size_t count, PointBatch* batches, GroupBox* groups,
              CloudTotals* totals) {
    __shared__ Box all;
    __shared__ bool unboxed;
    if (threadIdx.x == 0)
        all = Box{}, unboxed = false;
    __syncthreads();
    const std::size_t group = std::size_t{blockIdx.x} * kBatchGroups + threadIdx.x;
    Box box;
    unsigned notFinite = 0;
    bool hasUnboxed = false;
#pragma unroll
    for (std::uint32_t k = 0; k < kGroupPoints; ++k) {
        const std::size_t point = group * kGroupPoints + k;
        if (point >= count)
            break;
        const Vec3f p = points[point];
        if (canBeBoxed(p))
            box.add(p);
        else if (isFinite(p))
            hasUnboxed = true;
        else
            ++notFinite;
    }
    if (hasUnboxed)
        unboxed = true;
#pragma unroll
    for (int k = 0; k < 3; ++k) {
        const std::uint32_t low = minOverWarp(box.low[k]), high = maxOverWarp(box.high[k]);
        if (laneIndex() == 0) {
            atomicMin(&all.low[k], low);
            atomicMax(&all.high[k], high);
        }
    }
    addOverWarp(&totals->notFinite, notFinite);
    __syncthreads();
    PointBatch batch{};
    batch.state = unboxed ? PointBatch::unboxed : all.isEmpty() ? PointBatch::empty : PointBatch::boxed;
    if (!all.isEmpty()) {
        const Vec3f low = all.lower(), high = all.upper();
        batch.origin = low;
        batch.step = {boxStep(low.x, high.x), boxStep(low.y, high.y), boxStep(low.z, high.z)};
    }
    GroupBox packed{GroupBox::kEmpty, 0};
    if (!box.isEmpty())
        packed = groupBox(batch, box.lower(), box.upper());
    groups[group] = packed;
    addOverWarp(&totals->oversized, isOversized(packed) ? 1 : 0);
    if (threadIdx.x == 0) {
        batches[blockIdx.x] = batch;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            if (all.low[k] < totals->low[k]) // rarely true after the first blocks; a stale value is safe
                atomicMin(&totals->low[k], all.low[k]);
            if (all.high[k] > totals->high[k])
                atomicMax(&totals->high[k], all.high[k]);
        }
    }
}

/// Moves bit i to bit 3 i, for 21 bits.
__device__ std::uint64_t everyThird(std::uint64_t v) {
    v = (v | v << 32) & 0x001f00000000ffffull;
    v = (v | v << 16) & 0x001f0000ff0000ffull;
    v = (v | v << 8) & 0x100f00f00f00f00full;
    v = (v | v << 4) & 0x10c30c30c30c30c3ull;
    return (v | v << 2) & 0x1249249249249249ull;
}

/// Computes the codes of points along a Morton curve of 2^bits cells along each axis. Points that do not fit
/// boxes come last.
__global__ void codeKernel(const Vec3f* points, std::size_t count, const CloudTotals* totals, int bits,
                           std::uint64_t* codes, std::uint32_t* indices) {
    const std::size_t i = globalIndex();
    if (i >= count)
        return;
    const Vec3f p = points[i];
    std::uint64_t code = std::uint64_t{1} << (3 * bits);
    if (canBeBoxed(p)) {
        const float cells = static_cast<float>((1u << bits) - 1);
        Vec3f low, extent;
#pragma unroll
        for (int k = 0; k < 3; ++k) {
            low[k] = fromOrdered(totals->low[k]);
            extent[k] = fromOrdered(totals->high[k]) - low[k];
        }
        const float most = ::fmaxf(::fmaxf(extent.x, extent.y), ::fmaxf(extent.z, 1e-30f));
        const auto cell = [&](int k) {
            return everyThird(static_cast<std::uint64_t>((p[k] - low[k]) / most * cells));
        };
        code = cell(0) | cell(1) << 1 | cell(2) << 2;
    }
    codes[i] = code;
    indices[i] = static_cast<std::uint32_t>(i);
}

__global__ void gatherKernel(const Vec3f* points, const std::uint32_t* indices, std::size_t count,
                             Vec3f* ordered) {
    const std::size_t i = globalIndex();
    if (i < count)
        ordered[i] = points[indices[i]];
}

/// Returns the number of bits per axis of the Morton code: a surface fills about 4^bits cells, with a quarter
/// of a point each.
int mortonBits(std::size_t points) {
    return std::clamp((static_cast<int>(std::bit_width(points)) + 1) / 2, 6, 16);
}

/// Sorts the points along a Morton curve, and fills `ordered` and `indices`.
void orderAlongCurve(PointBatches& to, std::span<const Vec3f> points, CloudTotals* totals,
                     StreamView stream) {
    const std::size_t count = points.size();
    const int bits = mortonBits(count);
    const auto buffer = [&]<class T>(T) { return Buffer<T>::in(MemorySpace::device, count, stream); };
    auto codes = buffer(std::uint64_t{}), otherCodes = buffer(std::uint64_t{});
    auto indices = buffer(std::uint32_t{}), otherIndices = buffer(std::uint32_t{});
    const std::size_t blocks = residentBlocks(reinterpret_cast<const void*>(measureKernel), count);
    measureKernel<<<static_cast<unsigned>(blocks), kBlockSize, 0, ownStream(stream)>>>(points.data(), count,
                                                                                       totals);
    check(cudaGetLastError(), "measureKernel");
    launch("codeKernel", count, stream, codeKernel, points.data(), count, totals, bits, codes.data(),
           indices.data());
    cub::DoubleBuffer<std::uint64_t> sortedCodes(codes.data(), otherCodes.data());
    cub::DoubleBuffer<std::uint32_t> sortedIndices(indices.data(), otherIndices.data());
    runCub("cub::DeviceRadixSort::SortPairs", stream, [&](void* scratch, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortPairs(scratch, bytes, sortedCodes, sortedIndices, count, 0,
                                               3 * bits + 1, stream.handle());
    });
    to.ordered = buffer(Vec3f{});
    launch("gatherKernel", count, stream, gatherKernel, points.data(), sortedIndices.Current(), count,
           to.ordered.data());
    to.indices = std::move(sortedIndices.Current() == indices.data() ? indices : otherIndices);
}

/// Checks the free memory. @throws DeviceMemoryShort if the curve would take more than half of it: the other
/// half is for frames and other programs
void requireRoomForCurve(std::size_t points) {
    constexpr std::size_t kBytesEach = 40; // bytes per point: codes and indices twice, point and its box
    std::size_t free = 0, total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (points * kBytesEach > free / 2)
        throw DeviceMemoryShort("not enough device memory to sort " + std::to_string(points) +
                                    " points along a curve",
                                "Draw the points in their original order.");
}

} // namespace

PointBatches batchPoints(std::span<const Vec3f> points, BatchOrder order, StreamView stream) {
    RasterScene drawn;
    drawn.points = points;
    requireDrawable(drawn); // point indices and block counts have 32 bits
    const std::size_t count = batchesOf(points.size());
    PointBatches result;
    result.of = points.data();
    result.points = points.size();
    auto totals = Buffer<CloudTotals>::in(MemorySpace::device, 1, stream);
    launch("resetTotals", 1, stream, resetTotals, totals.data());
    if (order == BatchOrder::curve && count != 0) {
        requireRoomForCurve(points.size());
        orderAlongCurve(result, points, totals.data(), stream);
    }
    result.batches = Buffer<PointBatch>::in(MemorySpace::device, count, stream);
    result.groups = Buffer<GroupBox>::in(MemorySpace::device, count * kBatchGroups, stream);
    if (count != 0) {
        const Vec3f* const from = result.ordered.empty() ? points.data() : result.ordered.data();
        boxKernel<<<static_cast<unsigned>(count), kBatchGroups, 0, ownStream(stream)>>>(
            from, points.size(), result.batches.data(), result.groups.data(), totals.data());
        check(cudaGetLastError(), "boxKernel");
    }
    CloudTotals counted{};
    detail::copyBytes(&counted, MemorySpace::host, totals.data(), MemorySpace::device, sizeof counted,
                      stream);
    stream.synchronize();
    result.notFinite = counted.notFinite;
    result.oversized = counted.oversized;
    if (counted.low[0] <= counted.high[0])
        for (int k = 0; k < 3; ++k) {
            result.low[k] = fromOrdered(counted.low[k]);
            result.high[k] = fromOrdered(counted.high[k]);
        }
    return result;
}

} // namespace scanloupe::cuda
