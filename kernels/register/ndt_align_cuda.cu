// Aligns one scan by a single kernel launch, which runs all Newton iterations.
#include "kernels/core/cuda_check.h"
#include "kernels/register/cuda_ndt_job.cuh"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <tuple>

namespace scanloupe::cuda {

namespace {

/// Shared memory of the cells that the threads of a block keep.
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
        const IndicesOf<kAround> indices(map, place.cell, 0);
#pragma unroll
        for (int k = 0; k < kAround; ++k) {
            SlotBits bits;
            indices.request(map, GlobalFetch{}, k, bits);
            if (indices.confirm(map, k, bits))
                cache.insert(slotOf(bits));
        }
    }
    __syncthreads();
}

/// Runs one alignment with the whole grid: a block, a cluster of blocks, or blocks that reduce through tagged
/// sums in global memory.
template <int kAround, NdtFetch kFetch, NdtReduction kReduction, bool kSettled = false>
__global__ void __launch_bounds__(kMostThreads, 1)
    alignOne(NdtRun run, NdtDeviceJob job, GridReduction gridReduction, NdtDeviceEnd* end,
             NdtTraceEntry* trace) {
    RunSpace& space = runSpace();
    unsigned char* beyond = reinterpret_cast<unsigned char*>(&space) + kRunBytes;
    clearSpace(space);
    const unsigned blocks = gridDim.x, rank = blockIdx.x;
    std::uint64_t epoch = 0;
    const auto withReduce = [&](const auto& fetch, const auto& reduce) {
        if constexpr (kAround <= 7) {
            // each thread has at most one point, which it keeps
            const bool one = gridReduction.runs == 1 && job.count <= ndtWarps(job.count) * kLanes;
            HeldPoint<kAround> held(job, one ? rank * blockDim.x + threadIdx.x : job.count,
                                    reinterpret_cast<float*>(beyond));
            runJob<kAround, 9, kSettled>(run, fetch, job, space, gridReduction, rank, blocks, epoch, reduce,
                                         held, one, *end, trace);
        } else { // 27 neighbours need more shared memory than a block has
            NoPoint none;
            runJob<kAround, 9, false>(run, fetch, job, space, gridReduction, rank, blocks, epoch, reduce,
                                      none, false, *end, trace);
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
    if (blocks > 1 && !gridReduction.taggedSums)
        clusterBarrier(); // others may still read this block's shared memory
}

using AlignOne = void (*)(NdtRun, NdtDeviceJob, GridReduction, NdtDeviceEnd*, NdtTraceEntry*);

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

/// Owns a texture object over a map's slots.
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

/// Launch configuration of one alignment.
struct Shape {
    NdtLaunch launch = NdtLaunch::block;
    unsigned blocks = 1, threads = kLanes, blocksPow2 = 1;
    unsigned runs = 1; ///< GridReduction::runs
};

/// Whether the device can run that many blocks as a cluster.
bool clusterFits(AlignOne kernel, unsigned blocks, unsigned threads, std::size_t bytes) {
    // the device's own capability does not suffice: code that is compiled for an older architecture and
    // translated for this one has no clusters
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

/// Number of resident blocks of a cooperative launch; 0 where the device supports none.
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

/// Raises a kernel's limit of dynamic shared memory to the need of its largest blocks, or to the device's
/// maximum. @returns the limit, bytes
unsigned raiseSharedMemoryLimit(AlignOne kernel, const NdtTuning& tuning, int around) {
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
    const int bytes = std::min(most, static_cast<int>(sharedBytes(tuning, around, kMostThreads)));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "cudaFuncSetAttribute");
    return static_cast<unsigned>(bytes);
}

/// Chooses the number of blocks by the number of points, up to `mostBlocks`.
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
    shape.blocksPow2 = std::bit_ceil(shape.blocks);
    if (shape.blocks == 1)
        shape.launch = NdtLaunch::block;
    return shape;
}

/// Chooses the launch configuration for a number of points. Queries of the device are cached: they take
/// longer than an alignment.
Shape chooseShape(const NdtTuning& tuning, int around, std::uint64_t points, AlignOne kernel) {
    const auto power = [](unsigned n) { return n == 0 || std::has_single_bit(n); };
    const bool cluster = tuning.launch == NdtLaunch::cluster;
    if (!power(tuning.threads) || !power(tuning.blocks) || tuning.threads > kMostThreads ||
        (tuning.threads != 0 && tuning.threads < kLanes) || (cluster && tuning.blocks > kMostBlocks))
        throw KernelError("an alignment can't run on so many blocks or threads",
                          "Take powers of two: up to 16 blocks in a cluster, of 32 to 256 threads.");
    unsigned threads = tuning.threads != 0 ? tuning.threads : points <= 8192 ? 64 : 256;
    using QueryKey = std::tuple<AlignOne, int, unsigned, unsigned>;
    static std::mutex mutex;
    static std::map<QueryKey, unsigned> cache;
    const auto cachedQuery = [&](unsigned blocks, const auto& query) {
        int device = 0;
        check(cudaGetDevice(&device), "cudaGetDevice");
        const std::lock_guard lock(mutex);
        const QueryKey key{kernel, device, threads, blocks};
        if (const auto at = cache.find(key); at != cache.end())
            return at->second;
        return cache.emplace(key, query()).first->second; // a query that throws is not cached
    };
    const unsigned room = cachedQuery(~0U, [&] { return raiseSharedMemoryLimit(kernel, tuning, around); });
    while (threads > kLanes && sharedBytes(tuning, around, threads) > room)
        threads /= 2;
    const std::size_t bytes = sharedBytes(tuning, around, threads);
    if (tuning.launch == NdtLaunch::block)
        return shapeOf(NdtLaunch::block, points, threads, 1);
    if (cluster) {
        unsigned blocks = tuning.blocks != 0 ? tuning.blocks : kMostBlocks;
        const auto fits = [&] {
            return cachedQuery(blocks,
                               [&] { return clusterFits(kernel, blocks, threads, bytes) ? 1U : 0U; }) != 0;
        };
        while (blocks > 1 && !fits()) {
            if (tuning.blocks != 0)
                throw KernelError("this device can't run a cluster of " + std::to_string(blocks) + " blocks",
                                  "Take fewer blocks, or let the program choose.");
            blocks /= 2;
        }
        return shapeOf(NdtLaunch::cluster, points, threads, blocks);
    }
    const unsigned resident = cachedQuery(0, [&] { return residentBlocks(kernel, threads, bytes); });
    const unsigned most = tuning.blocks != 0 ? std::min(tuning.blocks, resident) : resident;
    return shapeOf(NdtLaunch::grid, points, threads, std::max(most, 1U));
}

void queueOne(const NdtRun& run, const NdtDeviceJob& job, const NdtTuning& tuning, NdtDeviceEnd* end,
              NdtTraceEntry* trace, StreamView stream) {
    const AlignOne kernel = alignKernel(tuning, run.map.around);
    const Shape shape = chooseShape(tuning, run.map.around, job.count, kernel);
    if (tuning.settled > 0 && (shape.runs > 1 || job.count > ndtWarps(job.count) * kLanes))
        throw KernelError("points are settled only where each has a thread of its own",
                          "Take more blocks, or fewer points.");
    const std::size_t bytes = sharedBytes(tuning, run.map.around, shape.threads);
    GridReduction gridReduction{nullptr, shape.blocksPow2, shape.runs};
    Buffer<TaggedSum> taggedSums;
    cudaLaunchAttribute attribute{};
    if (shape.launch == NdtLaunch::cluster) {
        attribute.id = cudaLaunchAttributeClusterDimension;
        attribute.val.clusterDim = {shape.blocks, 1, 1};
    } else if (shape.launch == NdtLaunch::grid) {
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        taggedSums = Buffer<TaggedSum>::in(MemorySpace::device,
                                           std::size_t{2} * taggedRows(shape.blocks) * kLanes, stream);
        check(cudaMemsetAsync(taggedSums.data(), 0, taggedSums.bytes(), ownStream(stream)),
              "cudaMemsetAsync");
        gridReduction.taggedSums = taggedSums.data();
    }
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(shape.blocks);
    config.blockDim = dim3(shape.threads);
    config.dynamicSmemBytes = bytes;
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = shape.blocks > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, run, job, gridReduction, end, trace), "alignOne");
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
    stream.synchronize(); // the texture is destroyed next
}

} // namespace scanloupe::cuda
