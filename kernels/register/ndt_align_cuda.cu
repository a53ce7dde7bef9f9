// Alignments on the device: one cluster, or one block, runs all iterations of one.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt.cuh"
#include "kernels/register/cuda_ndt_run.cuh"

#include <algorithm>
#include <bit>
#include <new>
#include <string>

namespace scanloupe::cuda {

namespace {

/// What a block keeps of its alignment. In raw shared memory, since its members have constructors.
struct RunSpace {
    NdtClimb climb;
    NdtTotals totals;
    double sums[2][kNdtTerms]; ///< of this block: one is read by others while the other is written
    BlockSums block;
    NdtSolved solved;
    std::uint32_t job;
};

struct ShuffleReduce {
    __device__ double operator()(const float (&terms)[kNdtTerms]) const { return sumOverLanes(terms); }
};
struct SharedReduce {
    LaneRoom* rooms; // [warps]
    __device__ double operator()(const float (&terms)[kNdtTerms]) const {
        return sumOverLanesShared(terms, rooms[threadIdx.x / kLanes]);
    }
};

/// The totals of the candidate, in space.totals of every block of the cluster. All threads have to call it.
template <class Fetch, class Reduce>
__device__ void totalsOf(const NdtTableView& map, const Fetch& fetch, const NdtDeviceJob& job,
                         const RigidTransform& pose, RunSpace& space, unsigned rank, unsigned blocks,
                         unsigned& turn, const Reduce& reduce) {
    double* mine = space.sums[turn & 1];
    ++turn;
    sumOfBlock(map, fetch, job, pose, rank, blocks, space.block, reduce,
               [mine](unsigned term, double sum) { mine[term] = sum; });
    if (blocks == 1) {
        __syncthreads();
        if (threadIdx.x < kNdtTerms)
            space.totals.terms[threadIdx.x] = mine[threadIdx.x];
    } else {
        clusterBarrier();
        for (unsigned first = 0; first < kNdtTerms * blocks; first += blockDim.x) {
            const unsigned at = first + threadIdx.x; // whole warps: 32 terms times a power of two
            const bool any = at < kNdtTerms * blocks;
            const unsigned term = any ? at / blocks : 0, block = at % blocks;
            double sum = readFromBlock(mine + term, block);
            for (unsigned apart = 1; apart < blocks; apart *= 2) {
                const double other = __shfl_xor_sync(kAllOfWarp, sum, apart);
                sum += other;
            }
            if (any && block == 0)
                space.totals.terms[term] = sum;
        }
    }
    __syncthreads();
}

/// Runs all iterations of a job. All threads of all blocks of the cluster have to call it.
template <class Fetch, class Reduce>
__device__ void runJob(const NdtRun& run, const Fetch& fetch, const NdtDeviceJob& job, RunSpace& space,
                       unsigned rank, unsigned blocks, unsigned& turn, const Reduce& reduce,
                       NdtDeviceEnd& end, NdtTraceEntry* trace) {
    NdtClimbRules rules = run.rules;
    rules.radius = job.radius;
    if (threadIdx.x == 0)
        new (&space.climb) NdtClimb(job.start);
    __syncthreads();
    while (!space.climb.done) {
        const RigidTransform candidate = space.climb.candidate;
        totalsOf(run.map, fetch, job, candidate, space, rank, blocks, turn, reduce);
        if (run.solveByWarp) { // for all threads alike
            if (threadIdx.x < kLanes)
                solveByWarp(space.totals, space.solved);
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            NdtTraceEntry entry;
            const NdtSolved* solved = run.solveByWarp ? &space.solved : nullptr;
            if (space.climb.take(space.totals, rules, entry, solved) && rank == 0 && trace)
                trace[space.climb.iterations - 1] = entry;
        }
        __syncthreads();
    }
    const bool wide = run.geometry && space.climb.here.pairs() > 0;
    const RigidTransform pose = space.climb.pose;
    if (wide)
        totalsOf(run.wide, fetch, job, pose, space, rank, blocks, turn, reduce);
    if (threadIdx.x == 0 && rank == 0) {
        end.pose = pose;
        end.totals = space.climb.here;
        if (wide)
            end.wide = space.totals;
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

/// Fills the cache with the neighbourhoods of the block's points at the start.
__device__ void fillCache(const CachedFetch& cache, const NdtTableView& map, const NdtDeviceJob& job,
                          unsigned rank, unsigned blocks) {
    cache.clear();
    for (std::uint64_t i = rank * blockDim.x + threadIdx.x; i < job.count; i += blocks * blockDim.x) {
        NdtPlace place;
        if (!ndtPlace(map, job.start, job.middle, job.points[i], place))
            continue;
        for (int k = 0; k < map.around; ++k)
            if (inReach(place.cell + ndtNeighbour(k)))
                cache.offer(map, place.cell + ndtNeighbour(k));
    }
    __syncthreads();
}

/// Of a block that runs one alignment: the solver wants registers rather than many threads.
constexpr unsigned kMostThreads = 256;

/// One alignment by one cluster, which is the whole grid.
template <NdtFetch kFetch, NdtReduction kReduction>
__global__ void __launch_bounds__(kMostThreads, 1)
    alignOne(NdtRun run, NdtDeviceJob job, NdtDeviceEnd* end, NdtTraceEntry* trace) {
    RunSpace& space = runSpace();
    unsigned char* beyond = reinterpret_cast<unsigned char*>(&space) + kRunBytes;
    const unsigned blocks = gridDim.x, rank = blocks == 1 ? 0 : clusterRank();
    unsigned turn = 0;
    const auto withReduce = [&](const auto& fetch) {
        if constexpr (kReduction == NdtReduction::shuffle) {
            runJob(run, fetch, job, space, rank, blocks, turn, ShuffleReduce{}, *end, trace);
        } else {
            const SharedReduce reduce{reinterpret_cast<LaneRoom*>(beyond)};
            runJob(run, fetch, job, space, rank, blocks, turn, reduce, *end, trace);
        }
    };
    if constexpr (kFetch == NdtFetch::global) {
        withReduce(GlobalFetch{});
    } else if constexpr (kFetch == NdtFetch::texture) {
        withReduce(TextureFetch{run.texture});
    } else {
        if constexpr (kReduction == NdtReduction::sharedMemory)
            beyond += blockDim.x / kLanes * sizeof(LaneRoom);
        const CachedFetch cache{reinterpret_cast<NdtSlot*>(beyond)};
        fillCache(cache, run.map, job, rank, blocks);
        beyond = reinterpret_cast<unsigned char*>(&space) + kRunBytes;
        withReduce(cache);
    }
    if (blocks > 1)
        clusterBarrier(); // others may still read this block's shared memory
}

constexpr unsigned kBatchThreads = 128;
constexpr unsigned kBatchBlocks = 5; // of a multiprocessor: 96 registers, which the sums need

/// Many alignments: each block takes the next until there are none.
__global__ void __launch_bounds__(kBatchThreads, kBatchBlocks)
    alignMany(NdtRun run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
              NdtDeviceEnd* ends, NdtTraceEntry* traces) {
    RunSpace& space = runSpace();
    unsigned turn = 0;
    for (;;) {
        if (threadIdx.x == 0)
            space.job = atomicAdd(queue, 1U);
        __syncthreads();
        const std::uint32_t next = space.job;
        __syncthreads();
        if (next >= count)
            return;
        runJob(run, GlobalFetch{}, jobs[next], space, 0, 1, turn, ShuffleReduce{}, ends[next],
               traces ? traces + std::size_t{next} * static_cast<std::size_t>(run.rules.maxIterations)
                      : nullptr);
    }
}

__global__ void scoreTotals(NdtRun run, NdtDeviceJob job, NdtDeviceEnd* end) {
    RunSpace& space = runSpace();
    unsigned turn = 0;
    totalsOf(run.map, GlobalFetch{}, job, job.start, space, 0, 1, turn, ShuffleReduce{});
    if (threadIdx.x == 0)
        end->totals = space.totals;
    __syncthreads();
    totalsOf(run.wide, GlobalFetch{}, job, job.start, space, 0, 1, turn, ShuffleReduce{});
    if (threadIdx.x == 0) {
        end->wide = space.totals;
        end->pose = job.start;
        end->iterations = 0;
        end->end = end->totals.pairs() > 0 ? NdtEnd::maxIterations : NdtEnd::noOverlap;
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
        best = nearPoint(map, GlobalFetch{}, place, near);
    scores[i] = best == kNoCell ? __int_as_float(0x7fc00000) : near.best;
    cells[i] = best;
}

using AlignOne = void (*)(NdtRun, NdtDeviceJob, NdtDeviceEnd*, NdtTraceEntry*);

AlignOne alignKernel(const NdtTuning& tuning) {
    const bool shuffle = tuning.reduction == NdtReduction::shuffle;
    switch (tuning.fetch) {
    case NdtFetch::texture:
        return shuffle ? alignOne<NdtFetch::texture, NdtReduction::shuffle>
                       : alignOne<NdtFetch::texture, NdtReduction::sharedMemory>;
    case NdtFetch::sharedCache:
        return shuffle ? alignOne<NdtFetch::sharedCache, NdtReduction::shuffle>
                       : alignOne<NdtFetch::sharedCache, NdtReduction::sharedMemory>;
    default:
        return shuffle ? alignOne<NdtFetch::global, NdtReduction::shuffle>
                       : alignOne<NdtFetch::global, NdtReduction::sharedMemory>;
    }
}

std::size_t sharedBytes(const NdtTuning& tuning, unsigned threads) {
    std::size_t bytes = kRunBytes;
    if (tuning.reduction == NdtReduction::sharedMemory)
        bytes += threads / kLanes * sizeof(LaneRoom);
    if (tuning.fetch == NdtFetch::sharedCache)
        bytes += CachedFetch::kCells * sizeof(NdtSlot);
    return bytes;
}

/// A texture over a map's slots, for as long as it is used.
class SlotTexture {
public:
    explicit SlotTexture(const NdtTableView& map) {
        cudaResourceDesc resource{};
        resource.resType = cudaResourceTypeLinear;
        resource.res.linear.devPtr = const_cast<NdtSlot*>(map.entries);
        resource.res.linear.desc = cudaCreateChannelDesc<uint4>();
        resource.res.linear.sizeInBytes = (map.mask + 1) * sizeof(NdtSlot);
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

struct Shape {
    unsigned blocks, threads;
};

/// Whether the device can run that many blocks as a cluster.
bool clusterFits(AlignOne kernel, Shape shape, std::size_t bytes) {
    // not what the device can: code that was made for an older one and is translated for it has no clusters
    cudaFuncAttributes attributes{};
    check(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
    if (attributes.ptxVersion < 90)
        return false;
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {shape.blocks, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
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

/// How one alignment runs.
Shape chooseShape(const NdtTuning& tuning, std::size_t points, AlignOne kernel) {
    const unsigned warps = ndtWarps(points);
    const bool powers =
        std::has_single_bit(std::max(tuning.threads, 1U)) && std::has_single_bit(std::max(tuning.blocks, 1U));
    if (!powers || tuning.threads > kMostThreads || (tuning.threads != 0 && tuning.threads < kLanes) ||
        tuning.blocks > kMostBlocks)
        throw KernelError("an alignment can't run on so many blocks or threads",
                          "Take powers of two: up to 16 blocks of 32 to 256 threads.");
    Shape shape{tuning.blocks, tuning.threads};
    if (tuning.launch == NdtLaunch::block)
        shape.blocks = 1;
    if (shape.threads == 0) // measured on an H200: 128 x 8 for a thousand points, 256 x 16 for 30 thousand
        shape.threads = shape.blocks == 1 ? 256 : points <= 8192 ? 128 : 256;
    if (shape.blocks == 0)
        shape.blocks = points <= 8192 ? 8 : 16;
    while (shape.blocks * shape.threads / kLanes > warps)
        (shape.blocks > 1 ? shape.blocks : shape.threads) /= 2;
    while (shape.blocks > 1 && !clusterFits(kernel, shape, sharedBytes(tuning, shape.threads))) {
        if (tuning.launch == NdtLaunch::cluster && tuning.blocks != 0)
            throw KernelError("this device can't run a cluster of " + std::to_string(shape.blocks) +
                                  " blocks",
                              "Take fewer blocks, or let the program choose.");
        shape.blocks /= 2;
    }
    return shape;
}

void queueOne(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
              NdtTraceEntry* trace, StreamView stream) {
    const AlignOne kernel = alignKernel(tuning);
    const Shape shape = chooseShape(tuning, job.count, kernel);
    const std::size_t bytes = sharedBytes(tuning, shape.threads);
    if (bytes > 48 * 1024)
        check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   static_cast<int>(bytes)),
              "cudaFuncSetAttribute");
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {shape.blocks, 1, 1};
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = bytes;
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = shape.blocks > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, run, job, end, trace), "alignOne");
}

} // namespace

void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
                    NdtTraceEntry* trace, StreamView stream) {
    if (tuning.launch == NdtLaunch::graph)
        throw Fault("a graph was asked for where a kernel is queued");
    NdtRun with = run;
    with.solveByWarp = tuning.solve == NdtSolve::warp;
    if (tuning.fetch != NdtFetch::texture) {
        queueOne(with, job, tuning, end, trace, stream);
        return;
    }
    const SlotTexture texture(run.map);
    with.texture = texture.object();
    queueOne(with, job, tuning, end, trace, stream);
    stream.synchronize(); // the texture goes now
}

void queueBatch(const NdtRun& run, const NdtDeviceJob* jobs, std::uint32_t count, std::uint32_t* queue,
                NdtDeviceEnd* ends, NdtTraceEntry* traces, StreamView stream) {
    static const unsigned resident = [] {
        int device = 0, multiprocessors = 0, each = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
              "cudaDeviceGetAttribute");
        check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, alignMany, kBatchThreads, kRunBytes),
              "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
        return static_cast<unsigned>(multiprocessors * std::max(each, 1));
    }();
    const unsigned blocks = std::min<unsigned>(count, resident);
    if (blocks == 0)
        return;
    alignMany<<<blocks, kBatchThreads, kRunBytes, ownStream(stream)>>>(run, jobs, count, queue, ends, traces);
    check(cudaGetLastError(), "alignMany");
}

void queueScore(const NdtRun& run, const NdtDeviceJob& job, NdtDeviceEnd* end, StreamView stream) {
    constexpr unsigned threads = 512;
    scoreTotals<<<1, threads, kRunBytes, ownStream(stream)>>>(run, job, end);
    check(cudaGetLastError(), "scoreTotals");
}

void queuePointScores(const NdtRun& run, const NdtDeviceJob& job, const RigidTransform* pose, float* scores,
                      std::uint32_t* cells, StreamView stream) {
    launch("scorePoints", job.count, stream, scorePoints, run.map, job, pose, scores, cells);
}

} // namespace scanloupe::cuda
