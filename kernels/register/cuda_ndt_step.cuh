#pragma once
// Solves the Newton step with one warp, and exchanges sums between the warps of a block, the blocks of a
// cluster and the blocks of a grid.
#include "kernels/register/cuda_ndt.cuh"

#include <nv/target>

namespace scanloupe::cuda {

// ---- solving with a warp

/// Tries all shifts, one per lane. All lanes of one warp have to call it.
/// @returns the lane whose `solved` counts
__device__ inline unsigned solveByLanes(const NdtTotals& at, double arc, NdtSolved& solved) {
    solved = solveShifted(at, arc, static_cast<int>(threadIdx.x % kLanes));
    const unsigned enough = __ballot_sync(kAllOfWarp, solved.positive);
    return static_cast<unsigned>(chooseShift([enough](int shift) { return (enough >> shift & 1) != 0; }));
}
static_assert(kNdtShifts == kLanes);

/// As solveShifted without a shift, by an L D L^T factorization: lane i (i + 1) / 2 + j holds the element at
/// row i and column j <= i. All lanes of one warp have to call it, and get the result.
__device__ inline void solveByWarp(const NdtTotals& at, double arc, NdtSolved& solved) {
    const unsigned lane = threadIdx.x % kLanes;
    unsigned i = 0;
    while ((i + 1) * (i + 2) / 2 <= lane && i < 6)
        ++i;
    const unsigned j = lane - i * (i + 1) / 2;
    const bool has = i < 6;
    const auto scale = [arc](unsigned n) { return n < 3 ? 1 : arc; };
    const auto element = [&](unsigned row, unsigned column) {
        return -at.hessian(static_cast<int>(row), static_cast<int>(column)) * scale(row) * scale(column);
    };
    const auto place = [](unsigned row, unsigned column) { return row * (row + 1) / 2 + column; };
    double a = has ? element(i, j) : 0;
    double x = lane < 6 ? at.gradient(static_cast<int>(lane)) * scale(lane) : 0; // lane k: the k-th
    bool positive = true;
#pragma unroll
    for (unsigned k = 0; k < 6; ++k) {
        const double pivot = __shfl_sync(kAllOfWarp, a, static_cast<int>(place(k, k)));
        const double diagonal = element(k, k);
        if (!(diagonal > 0) || !(pivot > kLeastPivot * diagonal))
            positive = false;
        const double inverse = 1 / pivot;
        const bool inner = has && j > k;
        const double row = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(i, k) : lane));
        const double column = __shfl_sync(kAllOfWarp, a, static_cast<int>(inner ? place(j, k) : lane));
        const bool below = lane > k && lane < 6;
        const double ofX = __shfl_sync(kAllOfWarp, a, static_cast<int>(below ? place(lane, k) : lane));
        const double solvedX = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        if (inner)
            a = fma(-(row * inverse), column, a);
        if (below)
            x = fma(-(ofX * inverse), solvedX, x);
    }
    const double mine = __shfl_sync(kAllOfWarp, a, static_cast<int>(lane < 6 ? place(lane, lane) : 0));
    const double inverse = 1 / mine;
    x *= inverse;
#pragma unroll
    for (unsigned k = 5; k > 0; --k) {
        const double solvedX = __shfl_sync(kAllOfWarp, x, static_cast<int>(k));
        const bool above = lane < k;
        const double column = __shfl_sync(kAllOfWarp, a, static_cast<int>(above ? place(k, lane) : lane));
        if (above)
            x = fma(-(column * inverse), solvedX, x);
    }
    double of[6];
#pragma unroll
    for (int i = 0; i < 6; ++i)
        of[i] = __shfl_sync(kAllOfWarp, x, i) * scale(static_cast<unsigned>(i));
    solved = ndtSolved(at, {of[0], of[1], of[2]}, {of[3], of[4], of[5]}, positive);
}

// ---- a named barrier between two warps of a block, which makes writes of the first visible to the second.
// The racecheck of compute-sanitizer 2025.3 loses count of a block's barriers at the first of these, and
// reports hazards across __syncthreads() from then on; with __syncthreads() in place of both it reports none.

__device__ inline void signalSecondWarp() {
    asm volatile("barrier.cta.arrive 1, 64;" ::: "memory");
}
__device__ inline void waitForFirstWarp() {
    asm volatile("barrier.cta.sync 1, 64;" ::: "memory");
}

// ---- clusters: in PTX, since the headers of CUDA have them for some architectures only

/// Barrier of all threads of the cluster, which makes their writes to shared memory visible. It is not the
/// aligned form, which needs a warp's threads to be converged.
__device__ inline void clusterBarrier() {
    NV_IF_TARGET(NV_PROVIDES_SM_90, (asm volatile("barrier.cluster.arrive.release;" ::
                                                      : "memory");
                                     asm volatile("barrier.cluster.wait.acquire;" ::
                                                      : "memory");))
}
/// Reads the counterpart of `address` in the shared memory of block `rank` of the cluster.
__device__ inline double readFromBlock(const double* address, unsigned rank) {
    double value = 0;
    NV_IF_TARGET(NV_PROVIDES_SM_90,
                 (const auto local = static_cast<unsigned>(__cvta_generic_to_shared(address));
                  unsigned remote; asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                                                : "=r"(remote)
                                                : "r"(local), "r"(rank));
                  asm volatile("ld.shared::cluster.f64 %0, [%1];"
                               : "=d"(value)
                               : "r"(remote)
                               : "memory");))
    return value;
}

// ---- sums that blocks of a grid exchange

/// A sum and the epoch that it belongs to, in one 16-byte access.
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

} // namespace scanloupe::cuda
