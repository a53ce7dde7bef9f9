#pragma once
// Loads the points of a thread and finds their cells. In large clouds, a thread has four consecutive points:
// in scan order these often share a voxel, and are then summed in registers. In a single frame, a thread has
// one point, which keeps the whole device busy.
#include "kernels/voxelize/core/cuda_job.cuh"

#include <bit>
#include <cmath>
#include <type_traits>

namespace scanloupe::cuda {

inline constexpr int kMaxPointsPerThread = 4;
/// Minimum number of points for four points per thread. With fewer points, one point per thread occupies the
/// 132 multiprocessors of an H200 better.
inline constexpr std::size_t kLargeCloud = 1'000'000;

inline std::size_t threadsFor(std::size_t points, int perThread) {
    return (points + static_cast<std::size_t>(perThread) - 1) / static_cast<std::size_t>(perThread);
}

/// Calls `body` with the number of points per thread as a compile-time constant.
template <class Body>
void withPointsPerThread(std::size_t points, Body&& body) {
    if (points >= kLargeCloud)
        body(std::integral_constant<int, kMaxPointsPerThread>{});
    else
        body(std::integral_constant<int, 1>{});
}

template <int K>
struct PointGroup {
    Vec3f points[K]; ///< NaN after the last point, which is out of range
    int count = 0;   ///< number of valid points
};

/// Loads four points by three 16-byte loads. @param from aligned to 16 bytes
__device__ inline void loadFour(const Vec3f* from, Vec3f* points) {
    const auto* wide = reinterpret_cast<const float4*>(from);
    const float4 a = wide[0], b = wide[1], c = wide[2];
    points[0] = {a.x, a.y, a.z};
    points[1] = {a.w, b.x, b.y};
    points[2] = {b.z, b.w, c.x};
    points[3] = {c.y, c.z, c.w};
}

/// Loads the K points from K * index on.
template <int K>
__device__ PointGroup<K> loadPoints(const Vec3f* positions, std::size_t n, std::size_t index) {
    PointGroup<K> group;
    const std::size_t first = index * K;
    group.count = first >= n ? 0 : n - first < K ? static_cast<int>(n - first) : K;
    const Vec3f* from = positions + first;
    if constexpr (K % 4 == 0) {
        if (group.count == K && reinterpret_cast<std::uintptr_t>(positions) % 16 == 0) {
#pragma unroll
            for (int k = 0; k < K; k += 4)
                loadFour(from + k, group.points + k);
            return group;
        }
    }
    const float none = __int_as_float(0x7fffffff);
#pragma unroll
    for (int k = 0; k < K; ++k) // a constant trip count keeps the array in registers
        group.points[k] = k < group.count ? from[k] : Vec3f{none, none, none};
    return group;
}

/// Same as VoxelCells, with the same results in fewer instructions.
struct DeviceCells {
    VoxelCells cells;
    Vec3f voxelsPerMetre;
    Vec3i last; ///< cell along each axis
    Vec3i zero; ///< bits of a rounded product for cell 0

    explicit DeviceCells(const VoxelCells& c)
        : cells(c), voxelsPerMetre{reciprocal(c.shape.voxelSize.x), reciprocal(c.shape.voxelSize.y),
                                   reciprocal(c.shape.voxelSize.z)},
          last(c.shape.dims - Vec3i{1, 1, 1}), zero(Vec3i{kRoundsBits, kRoundsBits, kRoundsBits} + c.low) {}

    static constexpr float kRounds = 12582912.0f; // 1.5 * 2^23: a number added to it is rounded to an integer
    static constexpr std::int32_t kRoundsBits = std::bit_cast<std::int32_t>(kRounds);

    /// Returns 1 / size, or 0 if that overflows; `doubt` is then always positive.
    static float reciprocal(float size) {
        const float result = 1 / size;
        return std::isfinite(result) ? result : 0.0f;
    }
    /// Same as VoxelCells::cellAlong, unless `doubt` becomes positive. The product with the rounded
    /// reciprocal is off by at most 1.5 units in the last place of the quotient, so that a division has to
    /// decide close to integers.
    __device__ static std::int32_t cellAlong(float offset, float perMetre, std::int32_t zero,
                                             std::int32_t last, float& doubt) {
        const float product = offset * perMetre, rounded = product + kRounds;
        const float beyond = product - (rounded - kRounds); // signed distance to the nearest integer
        doubt = fmaxf(doubt, __fmaf_rn(product, 0x1p-21f, 0x1p-40f) - fabsf(beyond)); // positive from 2^20 on
        const std::int32_t below = __float_as_int(beyond) >> 31; // -1 if `product` was rounded up
        const std::int32_t index = __float_as_int(rounded) - zero + below;
        return static_cast<std::int32_t>(
            ::min(static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(last)));
    }
    /// Returns the cell of a point in the range; an arbitrary value for other points.
    __device__ Vec3i cell(Vec3f p) const {
        const Vec3f origin = cells.shape.origin;
        float doubt = 0;
        const Vec3i at{cellAlong(p.x - origin.x, voxelsPerMetre.x, zero.x, last.x, doubt),
                       cellAlong(p.y - origin.y, voxelsPerMetre.y, zero.y, last.y, doubt),
                       cellAlong(p.z - origin.z, voxelsPerMetre.z, zero.z, last.z, doubt)};
        return doubt > 0 ? cells.cell(p) : at;
    }
    __device__ bool contains(Vec3f p) const {
        const Vec3f low = cells.shape.origin, high = cells.rangeMax;
        return (p.x >= low.x) & (p.x < high.x) & (p.y >= low.y) & (p.y < high.y) & (p.z >= low.z) &
               (p.z < high.z);
    }
    /// Returns the key in a grid of fewer than 2^32 cells.
    __device__ std::uint32_t shortKey(Vec3i cell) const {
        const GridShape& s = cells.shape;
        return (static_cast<std::uint32_t>(cell.z) * static_cast<std::uint32_t>(s.dims.y) +
                static_cast<std::uint32_t>(cell.y)) *
                   static_cast<std::uint32_t>(s.dims.x) +
               static_cast<std::uint32_t>(cell.x);
    }
};

/// Keys of a thread's points; out of range all bits are set.
template <class Key, int K>
struct PointKeys {
    static constexpr Key kNone = static_cast<Key>(~std::uint64_t{0});
    Vec3i cells[K];
    Key keys[K];

    __device__ PointKeys(const DeviceCells& finder, const PointGroup<K>& group) {
#pragma unroll
        for (int k = 0; k < K; ++k) {
            keys[k] = kNone;
            cells[k] = {0, 0, 0};
            if (!finder.contains(group.points[k]))
                continue;
            cells[k] = finder.cell(group.points[k]);
            if constexpr (sizeof(Key) == 4)
                keys[k] = finder.shortKey(cells[k]);
            else
                keys[k] = finder.cells.shape.key(cells[k]);
        }
    }

    /// Calls `body(k)` for the first point of each run of points in one voxel, considering also the left
    /// neighbour thread: the other points add no new voxel. Must be called by all threads of a warp.
    template <class Body>
    __device__ void forEachRun(Body&& body) const {
        const Key before = __shfl_up_sync(kFullWarp, keys[K - 1], 1);
#pragma unroll
        for (int k = 0; k < K; ++k) {
            const bool first =
                k > 0 ? keys[k] != keys[k > 0 ? k - 1 : 0] : threadIdx.x % 32 == 0 || keys[0] != before;
            if (first && keys[k] != kNone)
                body(k);
        }
    }
};

} // namespace scanloupe::cuda
