#pragma once
// One alignment, by all threads of a block or of several.
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
struct Meeting {
    NdtWord* words = nullptr; ///< [2, wordRows, 32], zeros at first; null for one block, or a cluster
    unsigned ofBlocks = 1;    ///< a power of two, the number of blocks or more
    unsigned runs = 1;        ///< warps of ndt_float.h that a warp runs
};

/// What a block keeps of its alignment. In raw shared memory, since its members have constructors.
struct RunSpace {
    NdtClimb climb;
    NdtTotals wide;
    double sums[2][kNdtTerms]; ///< of this block: one is read by others while the other is written
    WarpRows ofWarps, ofGroups, ofBlocks;
    std::uint32_t job;
};

/// Clears the rows of warps that the block doesn't have. All threads have to call it, before a barrier.
__device__ inline void clearSpace(RunSpace& space) {
    space.ofWarps.clear();
    space.ofGroups.clear();
    space.ofBlocks.clear();
}

struct SharedReduce {
    LaneRoom* rooms; // [warps]
    __device__ double operator()(const float (&terms)[kNdtTerms]) const {
        return sumOverLanesShared(terms, rooms[threadIdx.x / kLanes]);
    }
};

/// Beyond so many blocks, they meet in groups first: a block then reads few words of others, which all read.
constexpr unsigned kMostAtOnce = 64, kGroup = 16;

/// How many words a turn takes.
HD constexpr unsigned wordRows(unsigned blocks) {
    return blocks > kMostAtOnce ? blocks + (blocks + kGroup - 1) / kGroup : blocks;
}

/// Sum of `rows` rows of words as soon as all are of this turn, by all warps of a block; `ofRows` is a power
/// of two that is not smaller. The writers are resident, so that they all come to write theirs.
__device__ inline double sumOfWords(WarpRows& space, const NdtWord* words, unsigned rows, unsigned ofRows,
                                    std::uint64_t turn) {
    return sumOverBlocks(space, ofRows, [=](unsigned first, auto& values) {
        constexpr unsigned count = std::extent_v<std::remove_reference_t<decltype(values)>>;
        std::uint64_t turns[count];
        bool all;
        do { // all are under way before the first is waited for: those beyond the last read that
#pragma unroll
            for (unsigned r = 0; r < count; ++r)
                values[r] =
                    readWord(words + ::min(first + r, rows - 1) * kLanes + threadIdx.x % kLanes, turns[r]);
            all = true;
#pragma unroll
            for (unsigned r = 0; r < count; ++r)
                all = static_cast<bool>(all & (turns[r] == turn));
        } while (!all);
#pragma unroll
        for (unsigned r = 0; r < count; ++r)
            values[r] = first + r < rows ? values[r] : 0;
    });
}

/// Adds up what the warps of all blocks have; the first warp of each block puts it into `totals`, and may
/// read it there. All threads have to call it, `turn` counting the calls from 1.
__device__ inline void meet(RunSpace& space, const Meeting& meeting, unsigned rank, unsigned blocks,
                            std::uint64_t turn, double ofWarp, NdtTotals& totals) {
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    space.ofWarps.rows[warp][lane] = ofWarp;
    __syncthreads();
    double sum = warp == 0 ? space.ofWarps.sum() : 0;
    if (blocks > 1 && meeting.words) {
        NdtWord* words = meeting.words + (turn & 1) * wordRows(blocks) * kLanes;
        if (warp == 0)
            writeWord(words + rank * kLanes + lane, sum, turn);
        if (blocks <= kMostAtOnce) {
            sum = sumOfWords(space.ofBlocks, words, blocks, meeting.ofBlocks, turn);
        } else {
            NdtWord* groups = words + blocks * kLanes;
            if (rank % kGroup == 0) {
                sum = sumOfWords(space.ofGroups, words + rank * kLanes, ::min(blocks - rank, kGroup), kGroup,
                                 turn);
                if (warp == 0)
                    writeWord(groups + rank / kGroup * kLanes + lane, sum, turn);
            }
            sum = sumOfWords(space.ofBlocks, groups, wordRows(blocks) - blocks, meeting.ofBlocks / kGroup,
                             turn);
        }
    } else if (blocks > 1) {
        double* mine = space.sums[turn & 1];
        if (warp == 0)
            mine[lane] = sum;
        clusterBarrier();
        sum = sumOverBlocks(space.ofBlocks, meeting.ofBlocks,
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
__device__ __noinline__ double sumOfRunsAside(const NdtTableView& map, const Fetch& fetch,
                                              const NdtDeviceJob& job, const RigidTransform& pose,
                                              unsigned warp, unsigned runs, const Reduce& reduce) {
    return sumOfRuns<kAround, 9>(map, fetch, job, pose, warp, runs, reduce);
}

/// Takes the candidate's totals, which the first warp has put in their place. While that warp solves, the
/// second one judges. All threads of the block have to call it.
__device__ inline void takeStep(const NdtRun& run, const NdtClimbRules& rules, RunSpace& space,
                                const NdtTotals& there, NdtTraceEntry* trace) {
    NdtClimb& climb = space.climb;
    const bool two = blockDim.x > kLanes;
    NdtSolved solved;
    unsigned taker = 0;
    if (threadIdx.x < kLanes) {
        if (two)
            tellSecondWarp();
        if (run.solve == NdtSolve::lanes)
            taker = solveByLanes(there, rules.arc, solved);
        else if (run.solve == NdtSolve::warp)
            solveByWarp(there, rules.arc, solved);
        __syncwarp();
    } else if (threadIdx.x < 2 * kLanes) {
        waitForFirstWarp();
    }
    if (threadIdx.x == (two ? kLanes : 0))
        climb.judge(rules, trace ? trace + climb.iterations : nullptr);
    __syncthreads();
    if (threadIdx.x == taker && !climb.done) {
        // of what no shift helps, lanes know as much
        if (!climb.halved && run.solve != NdtSolve::lanes &&
            (run.solve == NdtSolve::thread || !solved.positive)) {
            const NdtSolved found = solveBySearch(there, rules.arc);
            climb.advance(rules, found);
        } else {
            climb.advance(rules, solved);
        }
    }
    __syncthreads();
}
/// The same, where the registers are for other things.
__device__ __noinline__ inline void takeStepAside(const NdtRun& run, const NdtClimbRules& rules,
                                                  RunSpace& space, const NdtTotals& there,
                                                  NdtTraceEntry* trace) {
    takeStep(run, rules, space, there, trace);
}

/// In place of a HeldPoint.
struct NoPoint {};

/// Runs all iterations of a job. All threads of all blocks have to call it.
/// @param held the thread's point, where `isHeld`: where each thread has one at most
template <int kAround, int kAtOnce, bool kSettled, class Fetch, class Reduce, class Held>
__device__ void runJob(const NdtRun& run, const Fetch& fetch, const NdtDeviceJob& job, RunSpace& space,
                       const Meeting& meeting, unsigned rank, unsigned blocks, std::uint64_t& turn,
                       const Reduce& reduce, Held& held, bool isHeld, NdtDeviceEnd& end,
                       NdtTraceEntry* trace) {
    const unsigned warp = rank * (blockDim.x / kLanes) + threadIdx.x / kLanes;
    NdtClimbRules rules = run.rules;
    rules.arc = job.arc;
    if (threadIdx.x == 0)
        new (&space.climb) NdtClimb(job.start);
    __syncthreads();
    constexpr bool kAside = kAround <= 7 && std::is_same_v<Held, HeldPoint<kAround>>;
    float kept[kSettled ? kNdtTerms : 1];
    while (!space.climb.done) {
        const RigidTransform candidate = space.climb.candidate;
        NdtTotals& there = space.climb.there();
        double ofWarp;
        if (isHeld) { // for all threads alike
            if constexpr (kSettled) {
                if (!held.isSettled(candidate, run.settled))
                    held.terms(run.map, fetch, candidate, run.alwaysRead, kept);
                __syncwarp();
                ofWarp = reduce(kept);
            } else if constexpr (kAside) {
                float terms[kNdtTerms];
                held.terms(run.map, fetch, candidate, run.alwaysRead, terms);
                __syncwarp();
                ofWarp = reduce(terms);
            }
        } else if constexpr (kAside) {
            ofWarp = sumOfRunsAside<kAround>(run.map, fetch, job, candidate, warp, meeting.runs, reduce);
        } else {
            ofWarp = sumOfRuns<kAround, kAtOnce>(run.map, fetch, job, candidate, warp, meeting.runs, reduce);
        }
        meet(space, meeting, rank, blocks, ++turn, ofWarp, there);
        NdtTraceEntry* entries = rank == 0 ? trace : nullptr;
        if constexpr (kAside) {
            takeStep(run, rules, space, there, entries);
        } else {
            takeStepAside(run, rules, space, there, entries);
        }
    }
    const bool wide = run.geometry && space.climb.here().pairs() > 0;
    const RigidTransform pose = space.climb.pose;
    if (wide) {
        const double ofWarp =
            sumOfRunsAside<27>(run.wide, GlobalFetch{}, job, pose, warp, meeting.runs, reduce);
        meet(space, meeting, rank, blocks, ++turn, ofWarp, space.wide);
    }
    if (threadIdx.x == 0 && rank == 0) {
        end.pose = pose;
        end.totals = space.climb.here();
        if (wide)
            end.wide = space.wide;
        end.iterations = space.climb.iterations;
        end.end = space.climb.end;
    }
    __syncthreads(); // before the next job begins
}

__device__ inline RunSpace& runSpace() {
    extern __shared__ __align__(16) unsigned char raw[];
    return *reinterpret_cast<RunSpace*>(raw);
}
constexpr std::size_t kRunBytes = (sizeof(RunSpace) + 15) / 16 * 16;

} // namespace scanloupe::cuda
