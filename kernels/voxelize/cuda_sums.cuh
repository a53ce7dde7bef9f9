#pragma once
// Sums of a voxel in device memory, and how points get there: runs of points in one voxel are summed in
// registers, then across the lanes of a warp, then by atomics.
#include "kernels/voxelize/cuda_points.cuh"

#include <nv/target>

namespace scanloupe::cuda {

inline constexpr int kFusedFeatures = 2; ///< summed together with the position

/// One feature on the device.
struct FeatureIn {
    const void* data = nullptr; // [N]
    bool isDouble = false;
    FeatureScale scale;

    FeatureIn() = default;
    FeatureIn(const FeatureView& view, const FeatureScale& s)
        : data(view.data), isDouble(view.type == FeatureView::Type::float64), scale(s) {}

    __device__ double value(std::size_t i) const {
        return isDouble ? static_cast<const double*>(data)[i]
                        : static_cast<double>(static_cast<const float*>(data)[i]);
    }
};

/// How the sums of a voxel are kept.
enum class SumLayout : std::uint8_t {
    /// Integers, two atomics a run and one a feature: x | y << 32, count | z << 22, features. The first
    /// kPackedPoints points of a voxel fit; what comes later goes to `spill`. Which points come first is
    /// chance, their sum is not.
    exact,
    floats, ///< single precision (x, y, z, feature), then count, feature: `VoxelSums::fast`
};
/// Fractions are at most 2^20, so that the sum of this many fits 32 bits.
inline constexpr std::uint32_t kPackedPoints = (1u << (32 - kFractionBits)) - 1;
/// Bits of the count beside z. No device has 2^22 points in flight, so that it never overflows, though points
/// are counted before it is known that they have to be taken back.
inline constexpr int kCountBits = 22;
inline constexpr Count kCountMask = (Count{1} << kCountBits) - 1;

/// What is summed over points of one voxel that follow each other: within a warp 32 bits hold it.
struct RunSum {
    std::uint32_t x = 0, y = 0, z = 0, count = 0;
    Count features[kFusedFeatures] = {};

    __device__ void add(const RunSum& other) {
        x += other.x, y += other.y, z += other.z, count += other.count;
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f)
            features[f] += other.features[f];
    }
    /// Adds what lane `from` has in `theirs`, when `wanted`; all threads of a warp have to call it.
    __device__ void take(const RunSum& theirs, unsigned from, bool wanted, int fused) {
        const auto one = [&](auto& mine, auto value) {
            const auto other = __shfl_sync(kFullWarp, value, static_cast<int>(from % 32));
            if (wanted)
                mine += other;
        };
        one(x, theirs.x), one(y, theirs.y), one(z, theirs.z), one(count, theirs.count);
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f) {
            if (f < fused)
                one(features[f], theirs.features[f]);
        }
    }
};

/// What finish reads of one voxel.
struct VoxelSum {
    Count x, y, z;
    std::uint32_t count;
    Count features[kFusedFeatures];
    float4 floats; ///< in place of the others where the layout is `floats`
    float secondFloat;
};

/// The sums of all voxels. Kernels that add take the layout as a constant.
struct Sums {
    static constexpr int kSpillWords = 4;

    Count* words = nullptr; ///< [voxels, stride]
    Count* spill = nullptr; ///< [voxels, 4] x, y, z, count of what `words` can't hold; null for `floats`
    SumLayout layout = SumLayout::exact;
    int features = 0; ///< fused ones
    int stride = 0;   ///< words: half a 32-byte sector, or a whole one with features

    Sums(SumLayout l, int fused)
        : layout(l), features(fused), stride(l == SumLayout::exact && fused == 0 ? 2 : 4) {}

    /// Words of memory that a voxel takes.
    int wordsPerVoxel() const { return stride + (layout == SumLayout::exact ? kSpillWords : 0); }
    /// Takes memory for `voxels`. @param memory [voxels, wordsPerVoxel] zero
    void place(Count* memory, std::size_t voxels) {
        words = memory;
        spill = layout == SumLayout::exact ? memory + voxels * static_cast<std::size_t>(stride) : nullptr;
    }

    /// Adds a run to a voxel. Integer sums don't depend on the order of their terms.
    template <SumLayout Layout>
    __device__ void add(std::uint32_t voxel, const RunSum& run) const {
        Count* to = words + static_cast<std::size_t>(voxel) * static_cast<unsigned>(stride);
        if constexpr (Layout == SumLayout::floats) {
            addFloats(reinterpret_cast<float*>(to), run);
            return;
        }
        const Count counted = run.count | static_cast<Count>(run.z) << kCountBits;
        const Count before = atomicAdd(to + 1, counted);
        if ((before & kCountMask) + run.count <= kPackedPoints) {
            atomicAdd(to, run.x | static_cast<Count>(run.y) << 32);
        } else {
            atomicAdd(to + 1, 0 - counted);
            Count* more = spill + static_cast<std::size_t>(voxel) * kSpillWords;
            atomicAdd(more, static_cast<Count>(run.x));
            atomicAdd(more + 1, static_cast<Count>(run.y));
            atomicAdd(more + 2, static_cast<Count>(run.z));
            atomicAdd(more + 3, static_cast<Count>(run.count));
        }
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f) { // a constant number keeps the values in registers
            if (f < features)
                atomicAdd(to + 2 + f, run.features[f]);
        }
    }

    __device__ VoxelSum read(std::size_t voxel) const {
        const Count* from = words + voxel * static_cast<std::size_t>(stride);
        VoxelSum sum{};
        if (layout == SumLayout::floats) {
            const auto* parts = reinterpret_cast<const float*>(from);
            sum.floats = *reinterpret_cast<const float4*>(parts);
            sum.count = *reinterpret_cast<const std::uint32_t*>(parts + 4);
            sum.secondFloat = parts[5];
            return sum;
        }
        const Count* more = spill + voxel * kSpillWords;
        sum.x = (from[0] & 0xffffffffu) + more[0], sum.y = (from[0] >> 32) + more[1];
        sum.z = (from[1] >> kCountBits) + more[2];
        sum.count = static_cast<std::uint32_t>((from[1] & kCountMask) + more[3]);
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f) {
            if (f < features)
                sum.features[f] = from[2 + f];
        }
        return sum;
    }

    /// Makes a voxel's sums zero for the next time.
    __device__ void clear(std::size_t voxel) const {
        for (int i = 0; i < stride; ++i)
            words[voxel * static_cast<std::size_t>(stride) + static_cast<std::size_t>(i)] = 0;
        for (int i = 0; spill && i < kSpillWords; ++i)
            spill[voxel * kSpillWords + static_cast<std::size_t>(i)] = 0;
    }

    /// Copies a voxel's sums to another place.
    __device__ void move(std::size_t voxel, const Sums& to, std::size_t place) const {
        for (int i = 0; i < stride; ++i)
            to.words[place * static_cast<std::size_t>(stride) + static_cast<std::size_t>(i)] =
                words[voxel * static_cast<std::size_t>(stride) + static_cast<std::size_t>(i)];
        for (int i = 0; spill && i < kSpillWords; ++i)
            to.spill[place * kSpillWords + static_cast<std::size_t>(i)] =
                spill[voxel * kSpillWords + static_cast<std::size_t>(i)];
    }

private:
    __device__ void addFloats(float* to, const RunSum& run) const {
        const float feature = static_cast<float>(run.features[0]) * 0x1p-32f;
        const float4 part{static_cast<float>(run.x), static_cast<float>(run.y), static_cast<float>(run.z),
                          feature};
        NV_IF_ELSE_TARGET(NV_PROVIDES_SM_90, (atomicAdd(reinterpret_cast<float4*>(to), part);),
                          (atomicAdd(to, part.x); atomicAdd(to + 1, part.y); atomicAdd(to + 2, part.z);
                           atomicAdd(to + 3, part.w);))
        atomicAdd(reinterpret_cast<unsigned*>(to + 4), run.count);
        if (features > 1)
            atomicAdd(to + 5, static_cast<float>(run.features[1]) * 0x1p-32f);
    }
};

/// The points' side of a sum.
struct PointsIn {
    const Vec3f* positions = nullptr; // [N]
    std::size_t count = 0;            // N
    FeatureIn features[kFusedFeatures];
};

/// Calls `body` with the layout as a constant.
template <class Body>
void withLayout(SumLayout layout, Body&& body) {
    if (layout == SumLayout::exact)
        body(std::integral_constant<SumLayout, SumLayout::exact>{});
    else
        body(std::integral_constant<SumLayout, SumLayout::floats>{});
}

/// Sums the points of a thread by voxel and adds the runs to `sums`; where the right neighbour goes on with
/// the same voxel, whole warps add once: else a voxel with millions of points would serialize them all. All
/// threads of a warp have to call it.
/// @param voxels index of each point's sums, kNoVoxel for none
template <SumLayout Layout, int K>
__device__ void addGroup(const Sums& sums, const VoxelCells& cells, const PointsIn& in,
                         std::size_t firstPoint, const PointGroup<K>& group, const Vec3i (&at)[K],
                         const std::uint32_t (&voxels)[K], Counts* counts) {
    RunSum sum[K];   // of the points of one voxel up to each
    RunSum firstRun; // where there are several: the left neighbour may be in the same voxel
    unsigned notFinite = 0;
    bool oneRun = true;
#pragma unroll
    for (int k = 0; k < K; ++k) {
        const int before = k > 0 ? k - 1 : 0;
        const bool takes = voxels[k] != kNoVoxel;
        const Vec3f p = group.points[k];
        sum[k].x = takes ? cells.fractionAlong(0, p.x, at[k].x) : 0;
        sum[k].y = takes ? cells.fractionAlong(1, p.y, at[k].y) : 0;
        sum[k].z = takes ? cells.fractionAlong(2, p.z, at[k].z) : 0;
        sum[k].count = takes;
#pragma unroll
        for (int f = 0; f < kFusedFeatures; ++f) {
            if (f >= sums.features || !takes)
                continue;
            std::uint64_t fixed = 0;
            notFinite += !in.features[f].scale.fixed(
                in.features[f].value(firstPoint + static_cast<std::size_t>(k)), fixed);
            sum[k].features[f] = fixed;
        }
        if (k == 0)
            continue;
        if (voxels[k] == voxels[before])
            sum[k].add(sum[before]);
        else if (oneRun)
            firstRun = sum[before];
        else if (voxels[before] != kNoVoxel)
            sums.add<Layout>(voxels[before], sum[before]);
        oneRun = oneRun && voxels[k] == voxels[before];
    }

    RunSum& run = sum[K - 1];
    const std::uint32_t current = voxels[K - 1];
    const unsigned lane = threadIdx.x % 32;
    const std::uint32_t left = __shfl_up_sync(kFullWarp, current, 1);
    const bool head = lane == 0 || !oneRun || current != left;
    const bool given = K > 1 && lane > 0 && !oneRun && voxels[0] == left;
    const unsigned heads = __ballot_sync(kFullWarp, head), gifts = __ballot_sync(kFullWarp, given);
    const unsigned after = lane == 31 ? 0 : heads & ~0u << (lane + 1);
    const unsigned next = after ? static_cast<unsigned>(__ffs(static_cast<int>(after))) - 1 : 32;
    if (heads != kFullWarp) {
        for (unsigned offset = 1; offset < 32; offset *= 2)
            run.take(run, lane + offset, lane + offset < next, sums.features);
    }
    if (K > 1 && gifts != 0)
        run.take(firstRun, next, head && next < 32 && (gifts >> (next % 32) & 1u), sums.features);
    if (K > 1 && !oneRun && !given && voxels[0] != kNoVoxel)
        sums.add<Layout>(voxels[0], firstRun);
    if (head && current != kNoVoxel)
        sums.add<Layout>(current, run);
    countInWarp(&counts->featuresNotFinite, notFinite);
}

/// Where a finished voxel goes.
struct VoxelsOut {
    std::uint64_t* keys = nullptr;   // [V]
    std::uint32_t* counts = nullptr; // [V]
    MeanColumns means;
    MeanFrame frame = MeanFrame::cloud;
    FeatureScale scales[kFusedFeatures];
};

/// Turns the sum of one voxel into its means.
__device__ inline void finishVoxel(const Sums& sums, const VoxelSum& sum, const VoxelCells& cells,
                                   const VoxelsOut& out, std::size_t voxel, std::uint64_t key) {
    const Vec3i cell = cells.shape.cell(key);
    out.counts[voxel] = sum.count;
    const auto meanOf = [&](int axis, Count fixed, float floats) {
        return sums.layout == SumLayout::floats
                   ? static_cast<double>(floats) / static_cast<double>(kFractionOne) /
                         static_cast<double>(sum.count)
                   : VoxelCells::meanFraction(fixed, sum.count);
    };
    out.means.set(0, voxel, cells.meanAlong(0, cell.x, meanOf(0, sum.x, sum.floats.x), out.frame));
    out.means.set(1, voxel, cells.meanAlong(1, cell.y, meanOf(1, sum.y, sum.floats.y), out.frame));
    out.means.set(2, voxel, cells.meanAlong(2, cell.z, meanOf(2, sum.z, sum.floats.z), out.frame));
#pragma unroll
    for (int f = 0; f < kFusedFeatures; ++f) {
        if (f >= sums.features)
            continue;
        const float mean =
            sums.layout == SumLayout::floats
                ? static_cast<float>(static_cast<double>(f == 0 ? sum.floats.w : sum.secondFloat) /
                                     static_cast<double>(sum.count) * out.scales[f].extent)
                : out.scales[f].mean(sum.features[f], sum.count);
        out.means.set(3 + static_cast<std::size_t>(f), voxel, mean);
    }
}

} // namespace scanloupe::cuda
