#pragma once
// Solves the Newton step with one warp, and exchanges sums between the warps of a block and the blocks of a
// grid.
#include "kernels/register/ndt/cuda_ndt.cuh"

namespace scanloupe::cuda {

// ---- solving with a warp

/// Tries all shifts, one per lane. Must be called by all lanes of one warp.
/// @returns the lane whose `solved` is the result
__device__ inline unsigned solveByLanes(const NdtTotals& at, double arc, NdtSolved& solved) {
    solved = solveShifted(at, arc, static_cast<int>(threadIdx.x % kLanes));
    const unsigned enough = __ballot_sync(kAllOfWarp, solved.positive);
    return static_cast<unsigned>(chooseShift([enough](int shift) { return (enough >> shift & 1) != 0; }));
}
static_assert(kNdtShifts == kLanes);

// ---- a named barrier between two warps of a block, which makes writes of the first visible to the second.
// The racecheck of compute-sanitizer 2025.3 loses count of a block's barriers at the first of these, and
// reports hazards across __syncthreads() from then on; with __syncthreads() in place of both it reports none.

__device__ inline void signalSecondWarp() {
    asm volatile("barrier.cta.arrive 1, 64;" ::: "memory");
}
__device__ inline void waitForFirstWarp() {
    asm volatile("barrier.cta.sync 1, 64;" ::: "memory");
}

} // namespace scanloupe::cuda
