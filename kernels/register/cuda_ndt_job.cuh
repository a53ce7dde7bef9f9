#pragma once
// Runs all Newton iterations of an NDT alignment within a kernel, by one block, a cluster of blocks or a
// cooperative grid.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt_run.cuh"
#include "kernels/register/cuda_ndt_step.cuh"
#include "kernels/register/cuda_ndt_sums.cuh"

#include <new>
#include <type_traits>

namespace scanloupe::cuda {

/// Of a block that aligns.
constexpr unsigned kMostThreads = kMostWarps * kLanes;

/// How the blocks of an alignment hand their sums to each other.
struct GridReduction {
    TaggedSum* taggedSums =
        nullptr;             ///< [2, taggedRows, 32], zeros at first; null for one block, or a cluster
    unsigned blocksPow2 = 1; ///< a power of two, the number of blocks or more
    unsigned runs = 1;       ///< warps of ndt_float.h that a warp runs
};

/// What a block keeps of its alignment. In raw shared memory, since its members have constructors.
struct RunSpace {
    NdtNewtonState newton;
    NdtTotals wide;
    double sums[2][kNdtTerms]; ///< of this block: one is read by others while the other is written
    WarpRows warpRows, groupRows, blockRows;
    std::uint32_t job;
};

/// Clears the rows of warps that the block doesn't have. All threads have to call it, before a barrier.
__device__ inline void clearSpace(RunSpace& space) {
    space.warpRows.clear();
    space.groupRows.clear();
    space.blockRows.clear();
}

struct SharedReduce {
    LaneRoom* rooms; // [warps]
    __device__ double operator()(const float (&terms)[kNdtTerms]) const {
        return sumOverLanesShared(terms, rooms[threadIdx.x / kLanes]);
    }
};

/// Beyond so many blocks, they meet in groups first: a block then reads few words of others, which all read.
constexpr unsigned kMostAtOnce = 64, kGroup = 16;

/// How many words an epoch takes.
HD constexpr unsigned taggedRows(unsigned blocks) {
    return blocks > kMostAtOnce ? blocks + (blocks + kGroup - 1) / kGroup : blocks;
}

/// Sum of `rows` rows of words as soon as all are of this epoch, by all warps of a block; `rowsPow2` is a
/// power of two that is not smaller. The writers are resident, so that they all come to write theirs.
__device__ inline double sumOfTaggedRows(WarpRows& space, const TaggedSum* taggedSums, unsigned rows,
                                         unsigned rowsPow2, std::uint64_t epoch) {
    return sumOverBlocks(space, rowsPow2, [=](unsigned first, auto& values) {
        constexpr unsigned count = std::extent_v<std::remove_reference_t<decltype(values)>>;
        std::uint64_t epochs[count];
        bool all;
        do { // all are under way before the first is waited for: those beyond the last read that
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

/// Adds up what the warps of all blocks have; the first warp of each block puts it into `totals`, and may
/// read it there. All threads have to call it, `epoch` counting the calls from 1.
__device__ inline void reduceAcrossGrid(RunSpace& space, const GridReduction& gridReduction, unsigned rank,
                                        unsigned blocks, std::uint64_t epoch, double warpSum,
                                        NdtTotals& totals) {
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    space.warpRows.rows[warp][lane] = warpSum;
    __syncthreads();
    double sum = warp == 0 ? space.warpRows.sum() : 0;
    if (blocks > 1 && gridReduction.taggedSums) {
        TaggedSum* taggedSums = gridReduction.taggedSums + (epoch & 1) * taggedRows(blocks) * kLanes;
        if (warp == 0)
            writeTagged(taggedSums + rank * kLanes + lane, sum, epoch);
        if (blocks <= kMostAtOnce) {
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
    } else if (blocks > 1) {
        double* mine = space.sums[epoch & 1];
        if (warp == 0)
            mine[lane] = sum;
        clusterBarrier();
        sum = sumOverBlocks(space.blockRows, gridReduction.blocksPow2,
                            [mine, blocks, lane](unsigned first, auto& values) {
#pragma unroll
                                for (double& value : values)
                                    value = first < blocks ? readFromBlock(mine + lane, first) : 0, ++first;
                            });
    }
    if (warp == 0)
        totals.terms[lane] = sum;
    __syncwarp();
}

/// As sumOfRuns, but not inlined: where it isn't what most iterations do, it should not lie between what is.
template <int kAround, class Fetch, class Reduce>
__device__ __noinline__ double sumOfRunsOutOfLine(const NdtTableView& map, const Fetch& fetch,
                                                  const NdtDeviceJob& job, const RigidTransform& pose,
                                                  unsigned warp, unsigned runs, const Reduce& reduce) {
    return sumOfRuns<kAround, 9>(map, fetch, job, pose, warp, runs, reduce);
}

/// Takes the candidate's totals, which the first warp has put in their place. While that warp solves, the
/// second one judges. All threads of the block have to call it.
__device__ inline void updateNewtonState(const NdtRun& run, const NdtNewtonParams& newtonParams,
                                         RunSpace& space, const NdtTotals& candidateTotals,
                                         NdtTraceEntry* trace) {
    NdtNewtonState& newton = space.newton;
    const bool two = blockDim.x > kLanes;
    NdtSolved solved;
    unsigned solvingLane = 0;
    if (threadIdx.x < kLanes) {
        if (two)
            signalSecondWarp();
        if (run.solve == NdtSolve::lanes)
            solvingLane = solveByLanes(candidateTotals, newtonParams.arc, solved);
        else if (run.solve == NdtSolve::warp)
            solveByWarp(candidateTotals, newtonParams.arc, solved);
        __syncwarp();
    } else if (threadIdx.x < 2 * kLanes) {
        waitForFirstWarp();
    }
    if (threadIdx.x == (two ? kLanes : 0))
        newton.acceptOrBacktrack(newtonParams, trace ? trace + newton.iterations : nullptr);
    __syncthreads();
    if (threadIdx.x == solvingLane && !newton.done) {
        // of what no shift helps, lanes know as much
        if (!newton.halved && run.solve != NdtSolve::lanes &&
            (run.solve == NdtSolve::thread || !solved.positive)) {
            const NdtSolved found = solveBySearch(candidateTotals, newtonParams.arc);
            newton.proposeCandidate(newtonParams, found);
        } else {
            newton.proposeCandidate(newtonParams, solved);
        }
    }
    __syncthreads();
}
/// The same, where the registers are for other things.
__device__ __noinline__ inline void
updateNewtonStateOutOfLine(const NdtRun& run, const NdtNewtonParams& newtonParams, RunSpace& space,
                           const NdtTotals& candidateTotals, NdtTraceEntry* trace) {
    updateNewtonState(run, newtonParams, space, candidateTotals, trace);
}

/// In place of a HeldPoint.
struct NoPoint {};

/// Runs all iterations of a job. All threads of all blocks have to call it.
/// @param held the thread's point, where `isHeld`: where each thread has one at most
template <int kAround, int kAtOnce, bool kSettled, class Fetch, class Reduce, class Held>
__device__ void runJob(const NdtRun& run, const Fetch& fetch, const NdtDeviceJob& job, RunSpace& space,
                       const GridReduction& gridReduction, unsigned rank, unsigned blocks,
                       std::uint64_t& epoch, const Reduce& reduce, Held& held, bool isHeld, NdtDeviceEnd& end,
                       NdtTraceEntry* trace) {
    const unsigned warp = rank * (blockDim.x / kLanes) + threadIdx.x / kLanes;
    NdtNewtonParams newtonParams = run.newtonParams;
    newtonParams.arc = job.arc;
    if (threadIdx.x == 0)
        new (&space.newton) NdtNewtonState(job.start);
    __syncthreads();
    constexpr bool kMayHoldPoint = kAround <= 7 && std::is_same_v<Held, HeldPoint<kAround>>;
    float kept[kSettled ? kNdtTerms : 1];
    while (!space.newton.done) {
        const RigidTransform candidate = space.newton.candidate;
        NdtTotals& candidateTotals = space.newton.candidateTotals();
        double warpSum;
        if (isHeld) { // for all threads alike
            if constexpr (kSettled) {
                if (!held.isSettled(candidate, run.settled))
                    held.terms(run.map, fetch, candidate, run.alwaysRead, kept);
                __syncwarp();
                warpSum = reduce(kept);
            } else if constexpr (kMayHoldPoint) {
                float terms[kNdtTerms];
                held.terms(run.map, fetch, candidate, run.alwaysRead, terms);
                __syncwarp();
                warpSum = reduce(terms);
            }
        } else if constexpr (kMayHoldPoint) {
            warpSum =
                sumOfRunsOutOfLine<kAround>(run.map, fetch, job, candidate, warp, gridReduction.runs, reduce);
        } else {
            warpSum =
                sumOfRuns<kAround, kAtOnce>(run.map, fetch, job, candidate, warp, gridReduction.runs, reduce);
        }
        reduceAcrossGrid(space, gridReduction, rank, blocks, ++epoch, warpSum, candidateTotals);
        NdtTraceEntry* entries = rank == 0 ? trace : nullptr;
        if constexpr (kMayHoldPoint) {
            updateNewtonState(run, newtonParams, space, candidateTotals, entries);
        } else {
            updateNewtonStateOutOfLine(run, newtonParams, space, candidateTotals, entries);
        }
    }
    const bool wide = run.geometry && space.newton.poseTotals().pairs() > 0;
    const RigidTransform pose = space.newton.pose;
    if (wide) {
        const double warpSum =
            sumOfRunsOutOfLine<27>(run.wide, GlobalFetch{}, job, pose, warp, gridReduction.runs, reduce);
        reduceAcrossGrid(space, gridReduction, rank, blocks, ++epoch, warpSum, space.wide);
    }
    if (threadIdx.x == 0 && rank == 0) {
        end.pose = pose;
        end.totals = space.newton.poseTotals();
        if (wide)
            end.wide = space.wide;
        end.iterations = space.newton.iterations;
        end.end = space.newton.end;
    }
    __syncthreads(); // before the next job begins
}

__device__ inline RunSpace& runSpace() {
    extern __shared__ __align__(16) unsigned char raw[];
    return *reinterpret_cast<RunSpace*>(raw);
}
constexpr std::size_t kRunBytes = (sizeof(RunSpace) + 15) / 16 * 16;

} // namespace scanloupe::cuda
