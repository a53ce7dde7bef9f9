#pragma once
// Sums 32 terms over the lanes of warps, the warps of blocks and the blocks of a cooperative grid as a tree,
// in an order that neither the number of blocks nor their size changes.
#include "kernels/core/cuda_check.h"
#include "kernels/core/hd.h"

#include <type_traits>

namespace scanloupe::cuda {

inline constexpr unsigned kLanes = 32;
inline constexpr unsigned kAllOfWarp = 0xffffffffU;
inline constexpr unsigned kMaxWarps = 8; ///< maximum number of warps per block

/// Exchanges terms between lanes that are `kHalf` apart: each sends the half of its terms that the other
/// keeps, and adds the received half to its own.
template <int kHalf, class T>
__device__ void halve(const T (&from)[2 * kHalf], T (&to)[kHalf]) {
    const bool upper = (threadIdx.x & kHalf) != 0;
#pragma unroll
    for (int i = 0; i < kHalf; ++i) {
        const T give = upper ? from[i] : from[i + kHalf], keep = upper ? from[i + kHalf] : from[i];
        const T got = __shfl_xor_sync(kAllOfWarp, give, kHalf);
        to[i] = keep + got;
    }
}

/// Adds up 17 to 32 terms over the lanes as a tree, with lanes half a warp apart first: lane t gets the sum
/// of term t. Each step halves the number of terms per lane, so that 31 shuffles suffice in place of 160.
template <int kTerms>
__device__ double sumOverLanes(const double (&terms)[kTerms]) {
    static_assert(kTerms > 16 && kTerms <= int(kLanes));
    double all[kLanes], half[16], quarter[8], eighth[4], two[2], one[1];
#pragma unroll
    for (int t = 0; t < int(kLanes); ++t)
        all[t] = t < kTerms ? terms[t] : 0;
    halve<16>(all, half);
    halve<8>(half, quarter);
    halve<4>(quarter, eighth);
    halve<2>(eighth, two);
    halve<1>(two, one);
    return one[0];
}

/// Adds up a stream of numbers, a power of two of them, as a tree, neighbours first.
class TreeSum {
public:
    __device__ void add(double value) {
        unsigned at = 0;
        for (unsigned rest = m_count++; rest & 1; rest >>= 1)
            value = m_levels[at++] + value;
        m_levels[at] = value;
        m_top = at;
    }
    __device__ double sum() const { return m_levels[m_top]; }

private:
    double m_levels[11];
    unsigned m_count = 0, m_top = 0;
};

/// Returns the sum of kRows values, a power of two, added as a tree, neighbours first.
template <unsigned kRows>
__device__ double sumAsTree(double (&values)[kRows]) {
#pragma unroll
    for (unsigned n = kRows / 2; n > 0; n /= 2)
#pragma unroll
        for (unsigned r = 0; r < n; ++r)
            values[r] = values[2 * r] + values[2 * r + 1];
    return values[0];
}
/// A row of 32 sums for each warp of a block.
struct WarpRows {
    double rows[kMaxWarps][kLanes + 1];

    /// Clears the rows of absent warps, which nothing writes to later. Must be called by all threads.
    __device__ void clear() {
        for (unsigned r = threadIdx.x / kLanes + blockDim.x / kLanes; r < kMaxWarps; r += blockDim.x / kLanes)
            rows[r][threadIdx.x % kLanes] = 0;
    }
    /// Returns the sum of all rows, added as a tree, neighbours first: lane t gets term t.
    __device__ double sum() const {
        double v[kMaxWarps];
#pragma unroll
        for (unsigned r = 0; r < kMaxWarps; ++r)
            v[r] = rows[r][threadIdx.x % kLanes];
        return sumAsTree(v);
    }
};

/// Returns the sum of the rows `first` to `first + count - 1`, added as a tree, neighbours first. `count`
/// must be a power of two. `read(row, values)` fills an array with the calling lane's term of the rows from
/// `row` on, all at once.
template <class Read>
__device__ double sumOfRows(unsigned first, unsigned count, const Read& read) {
    const auto some = [&](auto rows, unsigned from) {
        double values[rows];
        read(from, values);
        return sumAsTree(values);
    };
    using std::integral_constant;
    if (count == 1)
        return some(integral_constant<unsigned, 1>{}, first);
    if (count == 2)
        return some(integral_constant<unsigned, 2>{}, first);
    if (count == 4)
        return some(integral_constant<unsigned, 4>{}, first);
    constexpr unsigned most = 8;
    if (count == most)
        return some(integral_constant<unsigned, most>{}, first);
    TreeSum sum;
    for (unsigned next = 0; next < count; next += most)
        sum.add(some(integral_constant<unsigned, most>{}, first + next));
    return sum.sum();
}

/// Sums one row per block of the grid; `blocksPow2` is the number of blocks, rounded up to a power of two,
/// and `read` returns 0 for rows beyond the last block. Each warp of this block sums an equal share of the
/// rows; the number of warps is a power of two. Afterwards, lane t of the first warp holds term t. Must be
/// called by all threads. The rows of absent warps must be clear.
template <class Read>
__device__ double sumOverBlocks(WarpRows& space, unsigned blocksPow2, const Read& read) {
    const unsigned warp = threadIdx.x / kLanes;
    const unsigned share = ::max(blocksPow2 >> (31 - __clz(static_cast<int>(blockDim.x / kLanes))), 1U);
    double part = 0;
    if (warp * share < blocksPow2)
        part = sumOfRows(warp * share, share, read);
    space.rows[warp][threadIdx.x % kLanes] = part;
    __syncthreads();
    return warp == 0 ? space.sum() : 0;
}

/// Shared memory for the sums of a block.
struct GridRows {
    WarpRows warpRows, groupRows, blockRows;

    /// Clears the rows of absent warps. Must be called by all threads, before a barrier.
    __device__ void clear() {
        warpRows.clear();
        groupRows.clear();
        blockRows.clear();
    }
};

// ---- sums that blocks of a grid exchange

/// A sum and its epoch, in one 16-byte access.
struct alignas(16) TaggedSum {
    double sum;
    std::uint64_t epoch;
};
__device__ inline void writeTagged(TaggedSum* to, double sum, std::uint64_t epoch) {
    asm volatile("{ .reg .b128 word; mov.b128 word, {%1, %2}; st.relaxed.gpu.global.b128 [%0], word; }" ::"l"(
                     __cvta_generic_to_global(to)),
                 "l"(__double_as_longlong(sum)), "l"(epoch)
                 : "memory");
}
__device__ inline double readTagged(const TaggedSum* from, std::uint64_t& epoch) {
    long long sum;
    asm volatile("{ .reg .b128 word; ld.relaxed.gpu.global.b128 word, [%2]; mov.b128 {%0, %1}, word; }"
                 : "=l"(sum), "=l"(epoch)
                 : "l"(__cvta_generic_to_global(from))
                 : "memory");
    return __longlong_as_double(sum);
}

/// Parameters of the reduction across the blocks of an alignment.
struct GridReduction {
    /// [2, taggedRows, 32], initially zero; null for one block.
    TaggedSum* taggedSums = nullptr;
    unsigned blocksPow2 = 1; ///< number of blocks, rounded up to a power of two
    unsigned runs = 1;       ///< logical warps of ndt_float.h that each warp runs
};

/// Above kMaxAtOnce blocks, the reduction has two levels, first within groups of kGroup blocks. Each block
/// then reads few rows instead of the rows of all blocks.
constexpr unsigned kMaxAtOnce = 64, kGroup = 16;

/// Returns the number of rows of tagged sums per epoch.
HD constexpr unsigned taggedRows(unsigned blocks) {
    return blocks > kMaxAtOnce ? blocks + (blocks + kGroup - 1) / kGroup : blocks;
}

/// Adds up `rows` rows of tagged sums with all warps of a block, as soon as all rows have this epoch.
/// `rowsPow2` is `rows`, rounded up to a power of two. The busy wait terminates, since all writing blocks are
/// resident.
__device__ inline double sumOfTaggedRows(WarpRows& space, const TaggedSum* taggedSums, unsigned rows,
                                         unsigned rowsPow2, std::uint64_t epoch) {
    return sumOverBlocks(space, rowsPow2, [=](unsigned first, auto& values) {
        constexpr unsigned count = std::extent_v<std::remove_reference_t<decltype(values)>>;
        std::uint64_t epochs[count];
        bool all;
        do { // issues all loads before using the first result; reads beyond the last row read the last row
             // again
#pragma unroll
            for (unsigned r = 0; r < count; ++r)
                values[r] = readTagged(
                    taggedSums + ::min(first + r, rows - 1) * kLanes + threadIdx.x % kLanes, epochs[r]);
            all = true;
#pragma unroll
            for (unsigned r = 0; r < count; ++r)
                all = static_cast<bool>(all & (epochs[r] == epoch));
        } while (!all);
#pragma unroll
        for (unsigned r = 0; r < count; ++r)
            values[r] = first + r < rows ? values[r] : 0;
    });
}

/// Adds up the sums of the warps of all blocks. The first warp of each block writes term t to `terms[t]`, and
/// may read it there without a barrier. Must be called by all threads; `epoch` is the number of the call,
/// starting from 1.
__device__ inline void reduceAcrossGrid(GridRows& space, const GridReduction& gridReduction, unsigned rank,
                                        unsigned blocks, std::uint64_t epoch, double warpSum,
                                        double (&terms)[kLanes]) {
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    space.warpRows.rows[warp][lane] = warpSum;
    __syncthreads();
    double sum = warp == 0 ? space.warpRows.sum() : 0;
    if (blocks > 1) {
        TaggedSum* taggedSums = gridReduction.taggedSums + (epoch & 1) * taggedRows(blocks) * kLanes;
        if (warp == 0)
            writeTagged(taggedSums + rank * kLanes + lane, sum, epoch);
        if (blocks <= kMaxAtOnce) {
            sum = sumOfTaggedRows(space.blockRows, taggedSums, blocks, gridReduction.blocksPow2, epoch);
        } else {
            TaggedSum* groups = taggedSums + blocks * kLanes;
            if (rank % kGroup == 0) {
                sum = sumOfTaggedRows(space.groupRows, taggedSums + rank * kLanes,
                                      ::min(blocks - rank, kGroup), kGroup, epoch);
                if (warp == 0)
                    writeTagged(groups + rank / kGroup * kLanes + lane, sum, epoch);
            }
            sum = sumOfTaggedRows(space.blockRows, groups, taggedRows(blocks) - blocks,
                                  gridReduction.blocksPow2 / kGroup, epoch);
        }
    }
    if (warp == 0)
        terms[lane] = sum;
    __syncwarp();
}

} // namespace scanloupe::cuda
