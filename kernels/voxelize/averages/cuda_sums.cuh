#pragma once
// Sums points by voxel in device memory: runs of points in one voxel are summed in registers, collected by
// the warp in shared memory, and added by atomics, all words of a voxel at once.
#include "kernels/voxelize/core/cuda_points.cuh"

namespace scanloupe::cuda {

inline constexpr int kFusedFeatures = 2; ///< features that are summed together with the position

/// One feature on the device that is summed together with the position.
struct FeatureIn {
    const void* data = nullptr; // [N]
    bool isDouble = false;
    FeatureScale scale;
    float low = 0, high = 0; ///< the floats between these limits are within the feature's range

    FeatureIn() = default;
    FeatureIn(const FeatureView& view, const FeatureScale& s);

    __device__ double value(std::size_t i) const {
        return isDouble ? static_cast<const double*>(data)[i]
                        : static_cast<double>(static_cast<const float*>(data)[i]);
    }
    /// Loads `count` of K values, starting at `first`, if they are in single precision.
    template <int K>
    __device__ void load(std::size_t first, int count, float (&values)[K]) const {
        const auto* from = static_cast<const float*>(data) + first;
        if constexpr (K % 4 == 0) {
            const auto* wide = reinterpret_cast<const float4*>(from);
            if (!isDouble && count == K && reinterpret_cast<std::uintptr_t>(wide) % sizeof *wide == 0) {
#pragma unroll
                for (int k = 0; k < K; k += 4) {
                    const float4 four = wide[k / 4];
                    values[k] = four.x, values[k + 1] = four.y, values[k + 2] = four.z,
                    values[k + 3] = four.w;
                }
                return;
            }
        }
#pragma unroll
        for (int k = 0; k < K; ++k) // a constant trip count keeps the array in registers
            values[k] = !isDouble && k < count ? from[k] : 0.0f;
    }
    /// Same as scale.toFixedPoint of value `i`, with few instructions for a single-precision value in range.
    /// @param single the value, if it is in single precision
    __device__ bool toFixedPoint(float single, std::size_t i, std::uint64_t& result) const {
        if (isDouble || !(single >= low && single <= high))
            return scale.toFixedPoint(isDouble ? value(i) : static_cast<double>(single), result);
        const double part = (static_cast<double>(single) - scale.min) * scale.inverse;
        result = static_cast<Count>(__double_as_longlong(part + 0x1p52)) & 0xfffffffffffffu;
        return true;
    }
};

/// Memory layout of a voxel's sums: one or two 32-byte sectors, since an atomic on all words of a sector
/// costs the L2 hardly more than one on a single word, if the lanes of a warp issue them together.
enum class SumLayout : std::uint8_t {
    narrow, ///< 4 words: feature, x | count << 42, y, z; at most one feature and kNarrowPoints points
    wide,   ///< 8 words: feature, x, y, z, count, feature
};
/// Maximum number of points of a voxel in `narrow`: fractions are at most 2^20, so that their sum fits into
/// the 42 bits below the count, and the count into the 22 bits above. If a voxel has more, the total of all
/// counts is less than the number of points that were added.
inline constexpr int kCountShift = 42;
inline constexpr std::size_t kNarrowPoints = (std::size_t{1} << (64 - kCountShift)) - 1;
static_assert(kFractionBits + (64 - kCountShift) <= kCountShift);

constexpr unsigned wordsOf(SumLayout layout) {
    return layout == SumLayout::wide ? 8 : 4;
}
/// The layout for sums of at most `points` points in a voxel.
constexpr SumLayout layoutFor(std::size_t fusedFeatures, std::size_t points) {
    return fusedFeatures <= 1 && points <= kNarrowPoints ? SumLayout::narrow : SumLayout::wide;
}

/// Sums over a run of points in one voxel: 32 bits suffice within a warp.
struct RunSum {
    std::uint32_t x = 0, y = 0, z = 0, count = 0;
    Count features[kFusedFeatures] = {};

    /// Replaces the values by their sums over all lanes. Must be called by all threads of a warp.
    __device__ void addLanes(int fused) {
        x = warpSum(x), y = warpSum(y), z = warpSum(z), count = warpSum(count);
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f) {
            for (int lanes = 16; f < fused && lanes > 0; lanes /= 2)
                features[f] += __shfl_xor_sync(kFullWarp, features[f], lanes);
        }
    }
};

/// The words that a run adds to the sums of its voxel.
template <unsigned Words>
struct RunWords {
    ulonglong2 pairs[Words / 2];
};

/// Returns the words of a run in a layout, in the order of SumLayout.
template <SumLayout Layout>
__device__ auto packed(const RunSum& run) {
    if constexpr (Layout == SumLayout::narrow)
        return RunWords<4>{
            {{run.features[0], run.x | static_cast<Count>(run.count) << kCountShift}, {run.y, run.z}}};
    else
        return RunWords<8>{{{run.features[0], run.x}, {run.y, run.z}, {run.count, run.features[1]}, {0, 0}}};
}

/// The sums of one voxel, unpacked.
struct VoxelSum {
    Count x, y, z;
    std::uint32_t count;
    Count features[kFusedFeatures];
};

/// The sums of all voxels. Kernels that add to them have the layout as a template argument.
struct Sums {
    Count* words = nullptr; ///< [voxels or cells, wordsPerVoxel] initially zero
    SumLayout layout = SumLayout::narrow;
    int features = 0; ///< number of fused features

    __host__ __device__ std::size_t wordsPerVoxel() const { return wordsOf(layout); }

    __device__ VoxelSum read(std::size_t voxel) const {
        const auto* from = reinterpret_cast<const ulonglong2*>(words + voxel * wordsPerVoxel());
        const ulonglong2 a = __ldcg(from), b = __ldcg(from + 1); // atomics write to L2, so bypass L1
        VoxelSum sum{};
        sum.features[0] = a.x;
        sum.y = b.x, sum.z = b.y;
        if (layout == SumLayout::narrow) {
            sum.x = a.y & ((Count{1} << kCountShift) - 1);
            sum.count = static_cast<std::uint32_t>(a.y >> kCountShift);
            return sum;
        }
        const ulonglong2 c = __ldcg(from + 2);
        sum.x = a.y;
        sum.count = static_cast<std::uint32_t>(c.x);
        sum.features[1] = c.y;
        return sum;
    }

    /// Clears a voxel's sums for the next use.
    __device__ void clear(std::size_t voxel) const {
        auto* at = reinterpret_cast<ulonglong2*>(words + voxel * wordsPerVoxel());
        for (std::size_t i = 0; i < wordsPerVoxel() / 2; ++i)
            at[i] = ulonglong2{0, 0};
    }

    /// Copies a voxel's sums to index `place` of `to`.
    __device__ void copyTo(std::size_t voxel, const Sums& to, std::size_t place) const {
        for (std::size_t i = 0; i < wordsPerVoxel(); ++i)
            to.words[place * wordsPerVoxel() + i] = words[voxel * wordsPerVoxel() + i];
    }
};

/// Shared memory of a warp's RunQueue.
template <unsigned Words>
struct RunQueueStorage {
    static constexpr unsigned kRuns = 64;
    alignas(16) Count words[kRuns][Words];
    std::uint32_t voxels[kRuns];
};

/// Collects the runs of a warp, and adds them to the sums with the words of a voxel in adjacent lanes. All
/// threads of the warp must call its functions.
template <unsigned Words>
class RunQueue {
public:
    /// @param sums [voxels, Words]
    __device__ RunQueue(RunQueueStorage<Words>& storage, Count* sums) : m_storage(storage), m_sums(sums) {}

    __device__ void push(bool wanted, std::uint32_t voxel, const RunWords<Words>& run) {
        const unsigned pushing = __ballot_sync(kFullWarp, wanted);
        if (m_size + 32 > RunQueueStorage<Words>::kRuns)
            addAll();
        if (wanted) {
            const unsigned before = pushing & ((1u << threadIdx.x % 32) - 1);
            const unsigned place = m_size + static_cast<unsigned>(__popc(before));
            auto* to = reinterpret_cast<ulonglong2*>(m_storage.words[place]);
#pragma unroll
            for (unsigned i = 0; i < Words / 2; ++i)
                to[i] = run.pairs[i];
            m_storage.voxels[place] = voxel;
        }
        m_size += static_cast<unsigned>(__popc(pushing));
    }

    __device__ void addAll() {
        constexpr unsigned lanes = Words;
        const unsigned part = threadIdx.x % lanes;
        __syncwarp();
        for (unsigned i = threadIdx.x % 32 / lanes; i < m_size; i += 32 / lanes)
            atomicAdd(m_sums + static_cast<std::size_t>(m_storage.voxels[i]) * lanes + part,
                      m_storage.words[i][part]);
        __syncwarp();
        m_size = 0;
    }

private:
    RunQueueStorage<Words>& m_storage;
    Count* m_sums;
    unsigned m_size = 0; // uniform over the warp
};

/// Positions and fused features of the points to sum.
struct PointsIn {
    const Vec3f* positions = nullptr; // [N]
    std::size_t count = 0;            // N
    FeatureIn features[kFusedFeatures];
};

/// Calls `body` with the layout as a compile-time constant.
template <class Body>
void withLayout(SumLayout layout, Body&& body) {
    if (layout == SumLayout::narrow)
        body(std::integral_constant<SumLayout, SumLayout::narrow>{});
    else
        body(std::integral_constant<SumLayout, SumLayout::wide>{});
}

/// Single-precision values of the fused features of a thread's points, loaded along with the points to hide
/// the latency.
template <SumLayout Layout, int K>
struct PreloadedFeatures {
    static constexpr int kFeatures = Layout == SumLayout::narrow ? 1 : kFusedFeatures;
    float values[kFeatures][K];

    __device__ PreloadedFeatures(const PointsIn& in, int features, std::size_t first, int count) {
#pragma unroll
        for (int f = 0; f < kFeatures; ++f) {
            if (f < features)
                in.features[f].template load<K>(first, count, values[f]);
        }
    }
};

/// Sums the points of a thread by voxel, and adds the runs to `sums`. If all points of a warp are in one
/// voxel, the warp adds once, since otherwise the atomics of a voxel with millions of points would be
/// serialized. Must be called by all threads of a block of kBlockSize.
/// @param voxels index of each point's sums; kNoVoxel if the point has no voxel
template <SumLayout Layout, int K>
__device__ void addGroup(const PreloadedFeatures<Layout, K>& preloaded, const Sums& sums,
                         const VoxelCells& cells, const PointsIn& in, std::size_t firstPoint,
                         const PointGroup<K>& group, const Vec3i (&at)[K], const std::uint32_t (&voxels)[K],
                         Counts* counts) {
    __shared__ RunQueueStorage<wordsOf(Layout)> storage[kBlockSize / 32];
    RunQueue<wordsOf(Layout)> queue(storage[threadIdx.x / 32], sums.words);
    RunSum run;
    unsigned notFinite = 0;
    bool oneRun = true;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        const int before = k > 0 ? k - 1 : 0;
        if (k > 0) {
            const bool ends = voxels[k] != voxels[before];
            queue.push(ends && voxels[before] != kNoVoxel, voxels[before], packed<Layout>(run));
            oneRun = oneRun && !ends;
            if (ends)
                run = RunSum{};
        }
        // points without a voxel are summed, too: their run is not added, and a branch would cost more
        const Vec3f p = group.points[k];
        run.x += cells.fractionAlong(0, p.x, at[k].x);
        run.y += cells.fractionAlong(1, p.y, at[k].y);
        run.z += cells.fractionAlong(2, p.z, at[k].z);
        ++run.count;
#pragma unroll
        for (int f = 0; f < PreloadedFeatures<Layout, K>::kFeatures; ++f) {
            if (f >= sums.features || voxels[k] == kNoVoxel)
                continue;
            std::uint64_t fixed = 0;
            notFinite += !in.features[f].toFixedPoint(preloaded.values[f][k],
                                                      firstPoint + static_cast<std::size_t>(k), fixed);
            run.features[f] += fixed;
        }
    }
    const std::uint32_t current = voxels[K - 1];
    bool adds = current != kNoVoxel;
    const std::uint32_t firstLanes = __shfl_sync(kFullWarp, current, 0);
    if (__all_sync(kFullWarp, oneRun && adds && current == firstLanes)) {
        run.addLanes(sums.features);
        adds = threadIdx.x % 32 == 0;
    }
    queue.push(adds, current, packed<Layout>(run));
    queue.addAll();
    countInWarp(&counts->featuresNotFinite, notFinite);
}

/// Pointers to the columns of the finished voxels.
struct VoxelsOut {
    std::uint64_t* keys = nullptr;   // [V]
    std::uint32_t* counts = nullptr; // [V]
    MeanColumns means;
    FeatureScale scales[kFusedFeatures];
};

/// Converts the sums of one voxel to its means.
__device__ inline void finishVoxel(const Sums& sums, const VoxelSum& sum, const VoxelCells& cells,
                                   const VoxelsOut& out, std::size_t voxel, std::uint64_t key) {
    const Vec3i cell = cells.shape.cell(key);
    out.counts[voxel] = sum.count;
    const auto mean = [&](int axis, std::int32_t index, Count fixed) {
        return cells.meanAlong(axis, index, VoxelCells::meanFraction(fixed, sum.count));
    };
    out.means.set(0, voxel, mean(0, cell.x, sum.x));
    out.means.set(1, voxel, mean(1, cell.y, sum.y));
    out.means.set(2, voxel, mean(2, cell.z, sum.z));
#pragma unroll
    for (int f = 0; f < kFusedFeatures; ++f) {
        if (f >= sums.features)
            continue;
        out.means.set(3 + static_cast<std::size_t>(f), voxel, out.scales[f].mean(sum.features[f], sum.count));
    }
}

} // namespace scanloupe::cuda
