#pragma once
// Runs all Newton iterations of an NDT alignment within a kernel, by one block or a cooperative grid.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_ndt_run.cuh"
#include "kernels/register/ndt/cuda_ndt_step.cuh"
#include "kernels/register/ndt/cuda_ndt_sums.cuh"

#include <new>
#include <type_traits>

namespace scanloupe::cuda {

/// maximum number of threads of an aligning block
constexpr unsigned kMaxThreads = kMaxWarps * kLanes;

/// State of an alignment, of which each block keeps a copy. Stored in raw shared memory, since its members
/// have constructors.
struct RunSpace {
    NdtNewtonState newton;
    NdtTotals wide;
    GridRows rows;
    std::uint32_t job;
};

/// Same as sumOfRuns, but not inlined. For kernels whose iterations rarely call it, so that its instructions
/// do not separate the frequently executed ones.
template <int kAround>
__device__ __noinline__ double sumOfRunsOutOfLine(const NdtTableView& map, const NdtDeviceJob& job,
                                                  const RigidTransform& pose, unsigned warp, unsigned runs) {
    return sumOfRuns<kAround, 9>(map, job, pose, warp, runs);
}

/// Updates the Newton state with the candidate's totals, which the first warp has written. While the first
/// warp solves for the next step, the second warp accepts or rejects the candidate. Must be called by all
/// threads of the block.
__device__ inline void updateNewtonState(const NdtNewtonParams& newtonParams, RunSpace& space,
                                         const NdtTotals& candidateTotals, NdtTraceEntry* trace) {
    NdtNewtonState& newton = space.newton;
    const bool two = blockDim.x > kLanes;
    NdtSolved solved;
    unsigned solvingLane = 0;
    if (threadIdx.x < kLanes) {
        if (two)
            signalSecondWarp();
        solvingLane = solveByLanes(candidateTotals, newtonParams.arc, solved);
        __syncwarp();
    } else if (threadIdx.x < 2 * kLanes) {
        waitForFirstWarp();
    }
    if (threadIdx.x == (two ? kLanes : 0))
        newton.acceptOrBacktrack(newtonParams, trace ? trace + newton.iterations : nullptr);
    __syncthreads();
    if (threadIdx.x == solvingLane && !newton.done)
        newton.proposeCandidate(newtonParams, solved);
    __syncthreads();
}
/// Same as updateNewtonState, but not inlined, so that its registers are not reserved during the summation.
__device__ __noinline__ inline void updateNewtonStateOutOfLine(const NdtNewtonParams& newtonParams,
                                                               RunSpace& space,
                                                               const NdtTotals& candidateTotals,
                                                               NdtTraceEntry* trace) {
    updateNewtonState(newtonParams, space, candidateTotals, trace);
}

/// Replaces HeldPoint if threads hold no point.
struct NoPoint {};

/// Runs all iterations of a job. Must be called by all threads of all blocks.
/// @param held the thread's point; used only if `isHeld`
/// @param isHeld whether to use `held` instead of reading points; requires at most one point per thread
template <int kAround, int kAtOnce, class Held>
__device__ void runJob(const NdtRun& run, const NdtDeviceJob& job, RunSpace& space,
                       const GridReduction& gridReduction, unsigned rank, unsigned blocks,
                       std::uint64_t& epoch, Held& held, bool isHeld, NdtDeviceEnd& end,
                       NdtTraceEntry* trace) {
    const unsigned warp = rank * (blockDim.x / kLanes) + threadIdx.x / kLanes;
    NdtNewtonParams newtonParams = run.newtonParams;
    newtonParams.arc = job.arc;
    if (threadIdx.x == 0)
        new (&space.newton) NdtNewtonState(job.start);
    __syncthreads();
    constexpr bool kMayHoldPoint = kAround <= 7 && std::is_same_v<Held, HeldPoint<kAround>>;
    while (!space.newton.done) {
        const RigidTransform candidate = space.newton.candidate;
        NdtTotals& candidateTotals = space.newton.candidateTotals();
        double warpSum;
        if (isHeld) { // the condition is equal for all threads of the grid
            if constexpr (kMayHoldPoint) {
                float terms[kNdtTerms];
                held.terms(run.map, candidate, terms);
                __syncwarp();
                warpSum = sumOverLanes(terms);
            }
        } else if constexpr (kMayHoldPoint) {
            warpSum = sumOfRunsOutOfLine<kAround>(run.map, job, candidate, warp, gridReduction.runs);
        } else {
            warpSum = sumOfRuns<kAround, kAtOnce>(run.map, job, candidate, warp, gridReduction.runs);
        }
        reduceAcrossGrid(space.rows, gridReduction, rank, blocks, ++epoch, warpSum, candidateTotals.terms);
        NdtTraceEntry* entries = rank == 0 ? trace : nullptr;
        if constexpr (kMayHoldPoint) {
            updateNewtonState(newtonParams, space, candidateTotals, entries);
        } else {
            updateNewtonStateOutOfLine(newtonParams, space, candidateTotals, entries);
        }
    }
    const bool wide = run.geometry && space.newton.poseTotals().pairs() > 0;
    const RigidTransform pose = space.newton.pose;
    if (wide) {
        const double warpSum = sumOfRunsOutOfLine<27>(run.wide, job, pose, warp, gridReduction.runs);
        reduceAcrossGrid(space.rows, gridReduction, rank, blocks, ++epoch, warpSum, space.wide.terms);
    }
    if (threadIdx.x == 0 && rank == 0) {
        end.pose = pose;
        end.totals = space.newton.poseTotals();
        if (wide)
            end.wide = space.wide;
        end.iterations = space.newton.iterations;
        end.end = space.newton.end;
    }
    __syncthreads(); // all threads have finished before the next job begins
}

__device__ inline RunSpace& runSpace() {
    extern __shared__ __align__(16) unsigned char raw[];
    return *reinterpret_cast<RunSpace*>(raw);
}
constexpr std::size_t kRunBytes = (sizeof(RunSpace) + 15) / 16 * 16;

} // namespace scanloupe::cuda
