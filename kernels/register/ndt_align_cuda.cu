// Alignments on the device: one launch runs all iterations.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt.cuh"
#include "kernels/register/cuda_ndt_run.cuh"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <tuple>

namespace scanloupe::cuda {

namespace {

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
    NdtSolved solved;
    double sums[2][kNdtTerms]; ///< of this block: one is read by others while the other is written
    WarpRows ofWarps, ofGroups, ofBlocks;
    std::uint32_t job;
};

struct SharedReduce {
    LaneRoom* rooms; // [warps]
    __device__ double operator()(const float (&terms)[kNdtTerms]) const {
        return sumOverLanesShared(terms, rooms[threadIdx.x / kLanes]);
    }
};

/// Beyond so many blocks, they meet in groups first: a block then reads few words of others, which all read.
constexpr unsigned kMostAtOnce = 32, kGroup = 16;

/// How many words a turn takes.
HD constexpr unsigned wordRows(unsigned blocks) {
    return blocks > kMostAtOnce ? blocks + (blocks + kGroup - 1) / kGroup : blocks;
}

/// Sum of `rows` rows of words as soon as all are of this turn, by all warps of a block; `ofRows` is a power
/// of two that is not smaller. The writers are resident, so that they all come to write theirs.
__device__ double sumOfWords(WarpRows& space, const NdtWord* words, unsigned rows, unsigned ofRows,
                             std::uint64_t turn) {
    return sumOverBlocks(space, ofRows, [=](unsigned first, unsigned count, double(&v)[kRowsAtOnce]) {
        bool all;
        do {
            all = true;
#pragma unroll
            for (unsigned r = 0; r < kRowsAtOnce; ++r) {
                v[r] = 0;
                if (r < count && first + r < rows) {
                    std::uint64_t of;
                    v[r] = readWord(words + (first + r) * kLanes + threadIdx.x % kLanes, of);
                    all = all && of == turn;
                }
            }
        } while (!all);
    });
}

/// Adds up what the warps of all blocks have; the first warp of each block puts it into `totals`, and may
/// read it there. All threads have to call it, `turn` counting the calls from 1.
__device__ void meet(RunSpace& space, const Meeting& meeting, unsigned rank, unsigned blocks,
                     std::uint64_t turn, double ofWarp, NdtTotals& totals) {
    const unsigned warp = threadIdx.x / kLanes, lane = threadIdx.x % kLanes;
    space.ofWarps.rows[warp][lane] = ofWarp;
    __syncthreads();
    double sum = warp == 0 ? space.ofWarps.sum(blockDim.x / kLanes) : 0;
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
                            [mine, blocks, lane](unsigned first, unsigned count, double(&v)[kRowsAtOnce]) {
#pragma unroll
                                for (unsigned r = 0; r < kRowsAtOnce; ++r) {
                                    v[r] = 0;
                                    if (r < count && first + r < blocks)
                                        v[r] = readFromBlock(mine + lane, first + r);
                                }
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

/// Takes the candidate's totals, which the first warp has put in their place. By that warp; others just pass.
__device__ void takeStep(const NdtRun& run, const NdtClimbRules& rules, RunSpace& space,
                         NdtTraceEntry* trace) {
    if (threadIdx.x >= kLanes)
        return;
    NdtClimb& climb = space.climb;
    if (run.solve == NdtSolve::lanes)
        solveByLanes(climb.there(), rules.radius, space.solved);
    else if (run.solve == NdtSolve::warp)
        solveByWarp(climb.there(), rules.radius, space.solved);
    __syncwarp();
    if (threadIdx.x == 0)
        climb.take(rules, trace ? trace + climb.iterations : nullptr,
                   run.solve == NdtSolve::thread ? nullptr : &space.solved);
}
/// The same, where the registers are for other things.
__device__ __noinline__ void takeStepAside(const NdtRun& run, const NdtClimbRules& rules, RunSpace& space,
                                           NdtTraceEntry* trace) {
    takeStep(run, rules, space, trace);
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
    rules.radius = job.radius;
    if (threadIdx.x == 0)
        new (&space.climb) NdtClimb(job.start);
    __syncthreads();
    constexpr bool kAside = kAround <= 7 && std::is_same_v<Held, HeldPoint<kAround>>;
    float kept[kSettled ? kNdtTerms : 1];
    while (!space.climb.done) {
        const RigidTransform candidate = space.climb.candidate;
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
        meet(space, meeting, rank, blocks, ++turn, ofWarp, space.climb.there());
        NdtTraceEntry* entries = rank == 0 ? trace : nullptr;
        if constexpr (kAside) {
            takeStep(run, rules, space, entries);
        } else {
            takeStepAside(run, rules, space, entries);
        }
        __syncthreads();
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

__device__ RunSpace& runSpace() {
    extern __shared__ __align__(16) unsigned char raw[];
    return *reinterpret_cast<RunSpace*>(raw);
}
constexpr std::size_t kRunBytes = (sizeof(RunSpace) + 15) / 16 * 16;

/// Of what the threads of a block keep.
HD constexpr std::size_t heldBytes(int around, unsigned threads) {
    return around <= 7 ? static_cast<std::size_t>(around) * Neighbours<1>::bytes(threads) : 0;
}

/// Fills the cache with the neighbourhoods of the block's points at the start.
template <int kAround>
__device__ void fillCache(const CachedFetch& cache, const NdtTableView& map, const NdtDeviceJob& job,
                          unsigned rank, unsigned blocks) {
    cache.clear();
    for (std::uint64_t i = rank * blockDim.x + threadIdx.x; i < job.count; i += blocks * blockDim.x) {
        NdtPlace place;
        if (!ndtPlace(map, job.start, job.middle, job.points[i], place))
            continue;
        const NeighbourIndices<kAround> indices(map, place.cell, 0);
#pragma unroll
        for (int k = 0; k < kAround; ++k) {
            SlotBits bits;
            indices.request(map, GlobalFetch{}, k, bits);
            if (indices.confirm(map, place.cell + ndtNeighbour(k), k, bits))
                cache.offer(slotOf(bits));
        }
    }
    __syncthreads();
}

/// Of a block that runs one alignment: the solver wants registers rather than many threads.
constexpr unsigned kMostThreads = kMostWarps * kLanes;

/// One alignment by the whole grid: a block, a cluster of blocks, or blocks that meet over words.
template <int kAround, NdtFetch kFetch, NdtReduction kReduction, bool kSettled = false>
__global__ void __launch_bounds__(kMostThreads, 1)
    alignOne(NdtRun run, NdtDeviceJob job, Meeting meeting, NdtDeviceEnd* end, NdtTraceEntry* trace) {
    RunSpace& space = runSpace();
    unsigned char* beyond = reinterpret_cast<unsigned char*>(&space) + kRunBytes;
    const unsigned blocks = gridDim.x, rank = blockIdx.x;
    std::uint64_t turn = 0;
    const auto withReduce = [&](const auto& fetch, const auto& reduce) {
        if constexpr (kAround <= 7) {
            // each thread has one point at most, which it keeps
            const bool one = meeting.runs == 1 && job.count <= ndtWarps(job.count) * kLanes;
            HeldPoint<kAround> held(job, one ? rank * blockDim.x + threadIdx.x : job.count,
                                    reinterpret_cast<float*>(beyond));
            runJob<kAround, 9, kSettled>(run, fetch, job, space, meeting, rank, blocks, turn, reduce, held,
                                         one, *end, trace);
        } else { // 27 neighbours don't fit into registers
            NoPoint none;
            runJob<kAround, 9, false>(run, fetch, job, space, meeting, rank, blocks, turn, reduce, none,
                                      false, *end, trace);
        }
    };
    const auto withFetch = [&](const auto& fetch) {
        if constexpr (kReduction == NdtReduction::shuffle)
            withReduce(fetch, ShuffleReduce{});
        else
            withReduce(fetch,
                       SharedReduce{reinterpret_cast<LaneRoom*>(beyond + heldBytes(kAround, blockDim.x))});
    };
    if constexpr (kFetch == NdtFetch::global) {
        withFetch(GlobalFetch{});
    } else if constexpr (kFetch == NdtFetch::texture) {
        withFetch(TextureFetch{run.texture});
    } else {
        const CachedFetch cache{reinterpret_cast<NdtSlot*>(beyond + heldBytes(kAround, blockDim.x))};
        fillCache<kAround>(cache, run.map, job, rank, blocks);
        withFetch(cache);
    }
    if (blocks > 1 && !meeting.words)
        clusterBarrier(); // others may still read this block's shared memory
}

/// Of a multiprocessor, blocks of kMostThreads or more of fewer threads: 128 registers a thread.
constexpr unsigned kBatchBlocks = 2;
/// Slots that a batch reads at once: more than two want more registers than that.
constexpr int kBatchAtOnce = 2;

/// Many alignments: each block takes the next until there are none.
template <int kAround>
__global__ void __launch_bounds__(kMostThreads, kBatchBlocks)
    alignMany(NdtRun run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
              NdtDeviceEnd* ends, NdtTraceEntry* traces) {
    RunSpace& space = runSpace();
    std::uint64_t turn = 0;
    for (;;) {
        if (threadIdx.x == 0)
            space.job = atomicAdd(queue, 1U);
        __syncthreads();
        const std::uint32_t next = space.job;
        __syncthreads();
        if (next >= count)
            return;
        const NdtDeviceJob& job = jobs[next];
        const Meeting alone{nullptr, 1, ndtWarps(job.count) / (blockDim.x / kLanes)};
        NoPoint none;
        runJob<kAround, kBatchAtOnce, false>(
            run, GlobalFetch{}, job, space, alone, 0, 1, turn, ShuffleReduce{}, none, false, ends[next],
            traces ? traces + std::size_t{next} * static_cast<std::size_t>(run.rules.maxIterations)
                   : nullptr);
    }
}

/// The best score of each point, and the cell that gives it.
__global__ void scorePoints(NdtTableView map, NdtDeviceJob job, const RigidTransform* pose, float* scores,
                            std::uint32_t* cells) {
    const std::size_t i = globalIndex();
    if (i >= job.count)
        return;
    NdtPlace place;
    NdtNear<float> near;
    std::uint32_t best = kNoCell;
    if (ndtPlace(map, *pose, job.middle, job.points[i], place))
        withAround(map.around,
                   [&](auto around) { best = nearPoint<around, 1>(map, GlobalFetch{}, place, near); });
    scores[i] = best == kNoCell ? __int_as_float(0x7fc00000) : near.best;
    cells[i] = best;
}

using AlignOne = void (*)(NdtRun, NdtDeviceJob, Meeting, NdtDeviceEnd*, NdtTraceEntry*);

AlignOne alignKernel(const NdtTuning& tuning, int around) {
    constexpr auto global = NdtFetch::global;
    constexpr auto shuffle = NdtReduction::shuffle;
    const int changes = (tuning.fetch != global ? 1 : 0) + (tuning.reduction != shuffle ? 1 : 0) +
                        (tuning.settled > 0 ? 1 : 0);
    if (changes == 0)
        return around == 1   ? alignOne<1, global, shuffle>
               : around == 7 ? alignOne<7, global, shuffle>
                             : alignOne<27, global, shuffle>;
    if (around != 7 || changes > 1)
        throw KernelError("these ways to align are compared one at a time, and with 7 neighbours",
                          "Take the defaults for all but one.");
    return tuning.settled > 0                      ? alignOne<7, global, shuffle, true>
           : tuning.fetch == NdtFetch::texture     ? alignOne<7, NdtFetch::texture, shuffle>
           : tuning.fetch == NdtFetch::sharedCache ? alignOne<7, NdtFetch::sharedCache, shuffle>
                                                   : alignOne<7, global, NdtReduction::sharedMemory>;
}

std::size_t sharedBytes(const NdtTuning& tuning, int around, unsigned threads) {
    std::size_t bytes = kRunBytes + heldBytes(around, threads);
    if (tuning.reduction == NdtReduction::sharedMemory)
        bytes += threads / kLanes * sizeof(LaneRoom);
    if (tuning.fetch == NdtFetch::sharedCache)
        bytes += CachedFetch::kCells * sizeof(NdtSlot);
    return bytes;
}

/// A texture over a map's slots, for as long as it is used.
class SlotTexture {
public:
    SlotTexture(const NdtTableView& map, std::size_t cells) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<NdtSlot*>(map.cellSlots);
        resource.res.linear.desc = cudaCreateChannelDesc<uint4>();
        resource.res.linear.sizeInBytes = cells * sizeof(NdtSlot);
        cudaTextureDesc description{};
        description.readMode = cudaReadModeElementType;
        check(cudaCreateTextureObject(&m_texture, &resource, &description, nullptr),
              "cudaCreateTextureObject");
    }
    ~SlotTexture() { checkNoThrow(cudaDestroyTextureObject(m_texture)); }
    SlotTexture(const SlotTexture&) = delete;
    SlotTexture& operator=(const SlotTexture&) = delete;
    cudaTextureObject_t object() const { return m_texture; }

private:
    cudaTextureObject_t m_texture = 0;
};

/// How one alignment runs.
struct Shape {
    NdtLaunch launch = NdtLaunch::block;
    unsigned blocks = 1, threads = kLanes, ofBlocks = 1;
    unsigned runs = 1; ///< Meeting::runs
};

/// Whether the device can run that many blocks as a cluster.
bool clusterFits(AlignOne kernel, unsigned blocks, unsigned threads, std::size_t bytes) {
    // not what the device can: code that was made for an older one and is translated for it has no clusters
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    if (attributes.ptxVersion < 90)
        return false;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {blocks, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.attrs = &attribute;
    config.numAttrs = 1;
    if (cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1) != cudaSuccess) {
        checkNoThrow(cudaGetLastError());
        return false;
    }
    int clusters = 0;
    const cudaError_t status = cudaOccupancyMaxActiveClusters(&clusters, kernel, &config);
    checkNoThrow(status);
    return status == cudaSuccess && clusters > 0;
}

/// How many blocks of a cooperative launch the device holds; 0 where it has none.
unsigned residentBlocks(AlignOne kernel, unsigned threads, std::size_t bytes) {
    int device = 0, cooperative = 0, multiprocessors = 0, each = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, static_cast<int>(threads), bytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    return cooperative != 0 ? static_cast<unsigned>(multiprocessors * each) : 0;
}

/// Lets a kernel have the shared memory that its largest blocks want, or what there is. @returns how much
unsigned takeSharedMemory(AlignOne kernel, const NdtTuning& tuning, int around) {
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
    const int bytes = std::min(most, static_cast<int>(sharedBytes(tuning, around, kMostThreads)));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "cudaFuncSetAttribute");
    return static_cast<unsigned>(bytes);
}

/// As many blocks as the points are worth, within what is allowed.
Shape shapeOf(NdtLaunch launch, std::uint64_t points, unsigned threads, unsigned mostBlocks) {
    const unsigned warps = ndtWarps(points);
    const auto used = static_cast<unsigned>(std::min<std::uint64_t>((points + kLanes - 1) / kLanes, warps));
    Shape shape{launch, 1, std::min(threads, warps * kLanes), 1, 1};
    const unsigned each = shape.threads / kLanes; // warps of a block
    const auto blocksFor = [&](unsigned runs) { return (used + each * runs - 1) / (each * runs); };
    while (blocksFor(shape.runs) > mostBlocks)
        shape.runs *= 2;
    shape.blocks = blocksFor(shape.runs);
    if (launch == NdtLaunch::cluster)
        shape.blocks = std::bit_ceil(shape.blocks);
    shape.ofBlocks = std::bit_ceil(shape.blocks);
    return shape;
}

/// How an alignment of so many points runs. What the device can is asked for once: asking takes longer than
/// aligning.
Shape chooseShape(const NdtTuning& tuning, int around, std::uint64_t points, AlignOne kernel) {
    const auto power = [](unsigned n) { return n == 0 || std::has_single_bit(n); };
    const bool cluster = tuning.launch == NdtLaunch::cluster;
    if (!power(tuning.threads) || !power(tuning.blocks) || tuning.threads > kMostThreads ||
        (tuning.threads != 0 && tuning.threads < kLanes) || (cluster && tuning.blocks > kMostBlocks))
        throw KernelError("an alignment can't run on so many blocks or threads",
                          "Take powers of two: up to 16 blocks in a cluster, of 32 to 256 threads.");
    unsigned threads = tuning.threads != 0 ? tuning.threads : points <= 8192 ? 64 : 256;
    using Asked = std::tuple<AlignOne, int, unsigned, unsigned>;
    static std::mutex mutex;
    static std::map<Asked, unsigned> known;
    const auto ask = [&](unsigned blocks, const auto& answer) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        const std::lock_guard lock(mutex);
        const auto [at, isNew] = known.try_emplace({kernel, device, threads, blocks}, 0U);
        if (isNew)
            at->second = answer();
        return at->second;
    };
    const unsigned room = ask(~0U, [&] { return takeSharedMemory(kernel, tuning, around); });
    while (threads > kLanes && sharedBytes(tuning, around, threads) > room)
        threads /= 2;
    const std::size_t bytes = sharedBytes(tuning, around, threads);
    if (tuning.launch == NdtLaunch::block)
        return shapeOf(NdtLaunch::block, points, threads, 1);
    if (cluster) {
        unsigned blocks = tuning.blocks != 0 ? tuning.blocks : kMostBlocks;
        const auto fits = [&] {
            return ask(blocks, [&] { return clusterFits(kernel, blocks, threads, bytes) ? 1U : 0U; }) != 0;
        };
        while (blocks > 1 && !fits()) {
            if (tuning.blocks != 0)
                throw KernelError("this device can't run a cluster of " + std::to_string(blocks) + " blocks",
                                  "Take fewer blocks, or let the program choose.");
            blocks /= 2;
        }
        return shapeOf(blocks > 1 ? NdtLaunch::cluster : NdtLaunch::block, points, threads, blocks);
    }
    const unsigned resident = ask(0, [&] { return residentBlocks(kernel, threads, bytes); });
    const unsigned most = tuning.blocks != 0 ? std::min(tuning.blocks, resident) : resident;
    return shapeOf(most > 1 ? NdtLaunch::grid : NdtLaunch::block, points, threads, std::max(most, 1U));
}

void queueOne(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
              NdtTraceEntry* trace, StreamView stream) {
    const AlignOne kernel = alignKernel(tuning, run.map.around);
    const Shape shape = chooseShape(tuning, run.map.around, job.count, kernel);
    const std::size_t bytes = sharedBytes(tuning, run.map.around, shape.threads);
    Meeting meeting{nullptr, shape.ofBlocks, shape.runs};
    Buffer<NdtWord> words;
    cudaLaunchAttribute attribute{};
    if (shape.launch == NdtLaunch::cluster) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {shape.blocks, 1, 1};
    } else if (shape.launch == NdtLaunch::grid) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        words = Buffer<NdtWord>::in(MemorySpace::device, std::size_t{2} * wordRows(shape.blocks) * kLanes,
                                    stream);
        check(cudaMemsetAsync(words.data(), 0, words.bytes(), ownStream(stream)), "cudaMemsetAsync");
        meeting.words = words.data();
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = bytes;
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = shape.blocks > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, run, job, meeting, end, trace), "alignOne");
}

} // namespace

void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
                    NdtTraceEntry* trace, StreamView stream) {
    if (tuning.launch == NdtLaunch::graph)
        throw Fault("a graph was asked for where a kernel is queued");
    NdtRun with = run;
    with.solve = tuning.solve;
    with.alwaysRead = tuning.alwaysRead;
    with.settled = tuning.settled;
    if (tuning.fetch != NdtFetch::texture) {
        queueOne(with, job, tuning, end, trace, stream);
        return;
    }
    const SlotTexture texture(run.map, run.cells);
    with.texture = texture.object();
    queueOne(with, job, tuning, end, trace, stream);
    stream.synchronize(); // the texture goes now
}

void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream) {
    if (count == 0)
        return;
    const auto kernel = run.map.around == 1   ? alignMany<1>
                        : run.map.around == 7 ? alignMany<7>
                                              : alignMany<27>;
    static const unsigned multiprocessors = [] {
        int device = 0, number = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&number, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
        return static_cast<unsigned>(number);
    }();
    // in as many blocks as there are jobs for
    constexpr unsigned resident = kBatchBlocks * kMostThreads;
    unsigned threads = kMostThreads;
    while (threads > 2 * kLanes && count > multiprocessors * (resident / threads))
        threads /= 2;
    const unsigned blocks = std::min(count, multiprocessors * (resident / threads));
    kernel<<<blocks, threads, kRunBytes, ownStream(stream)>>>(run, jobs, count, queue, ends, traces);
    check(cudaGetLastError(), "alignMany");
}

void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream) {
    launch("scorePoints", job.count, stream, scorePoints, run.map, job, pose, scores, cells);
}

} // namespace scanloupe::cuda
