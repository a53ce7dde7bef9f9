// Aligns one scan by a single kernel launch, which runs all Newton iterations.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_ndt_job.cuh"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <tuple>

namespace scanloupe::cuda {

namespace {

/// Returns the shared memory for the cells that the threads of a block keep, bytes.
HD constexpr std::size_t heldBytes(int around, unsigned threads) {
    return around <= 7 ? static_cast<std::size_t>(around) * Neighbours<1>::bytes(threads) : 0;
}

/// Runs one alignment with the whole grid: a block, or blocks that reduce through tagged sums in global
/// memory.
template <int kAround>
__global__ void __launch_bounds__(kMaxThreads, 1)
    alignOne(NdtRun run, NdtDeviceJob job, GridReduction gridReduction, NdtDeviceEnd* end,
             NdtTraceEntry* trace) {
    RunSpace& space = runSpace();
    space.rows.clear();
    const unsigned blocks = gridDim.x, rank = blockIdx.x;
    std::uint64_t epoch = 0;
    if constexpr (kAround <= 7) {
        // if each thread has at most one point, it keeps the point's cells
        const bool one = gridReduction.runs == 1 && job.count <= ndtWarps(job.count) * kLanes;
        HeldPoint<kAround> held(
            job, one ? rank * blockDim.x + threadIdx.x : job.count,
            reinterpret_cast<float*>(reinterpret_cast<unsigned char*>(&space) + kRunBytes));
        runJob<kAround, 9>(run, job, space, gridReduction, rank, blocks, epoch, held, one, *end, trace);
    } else { // for 27 neighbours, a block does not have enough shared memory
        NoPoint none;
        runJob<kAround, 9>(run, job, space, gridReduction, rank, blocks, epoch, none, false, *end, trace);
    }
}

using AlignOne = void (*)(NdtRun, NdtDeviceJob, GridReduction, NdtDeviceEnd*, NdtTraceEntry*);

AlignOne alignKernel(int around) {
    return around == 1 ? alignOne<1> : around == 7 ? alignOne<7> : alignOne<27>;
}

/// Returns the size of a block's shared memory, bytes.
std::size_t sharedBytes(int around, unsigned threads) {
    return kRunBytes + heldBytes(around, threads);
}

/// Launch configuration of one alignment.
struct Shape {
    unsigned blocks = 1, threads = kLanes, blocksPow2 = 1;
    unsigned runs = 1; ///< see GridReduction::runs
};

/// Returns the number of resident blocks of a cooperative launch; 0 if the device does not support one.
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
unsigned raiseSharedMemoryLimit(AlignOne kernel, int around) {
    int device = 0, most = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    check(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device),
          "cudaDeviceGetAttribute");
    const int bytes = std::min(most, static_cast<int>(sharedBytes(around, kMaxThreads)));
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes),
          "cudaFuncSetAttribute");
    return static_cast<unsigned>(bytes);
}

/// Chooses the number of blocks by the number of points, up to `maxBlocks`.
Shape shapeOf(std::uint64_t points, unsigned threads, unsigned maxBlocks) {
    const unsigned warps = ndtWarps(points);
    const auto used = static_cast<unsigned>(std::min<std::uint64_t>((points + kLanes - 1) / kLanes, warps));
    Shape shape{1, std::min(threads, warps * kLanes), 1, 1};
    const unsigned each = shape.threads / kLanes; // number of warps per block
    const auto blocksFor = [&](unsigned runs) { return (used + each * runs - 1) / (each * runs); };
    while (blocksFor(shape.runs) > maxBlocks)
        shape.runs *= 2;
    shape.blocks = blocksFor(shape.runs);
    shape.blocksPow2 = std::bit_ceil(shape.blocks);
    return shape;
}

/// Chooses the launch configuration for a number of points. Caches device queries, since they take longer
/// than an alignment.
Shape chooseShape(const NdtLaunchBounds& bounds, int around, std::uint64_t points, AlignOne kernel) {
    const auto power = [](unsigned n) { return n == 0 || std::has_single_bit(n); };
    if (!power(bounds.threads) || !power(bounds.blocks) || bounds.threads > kMaxThreads ||
        (bounds.threads != 0 && bounds.threads < kLanes))
        throw KernelError("the numbers of blocks and threads of an alignment must be powers of two, with 32 "
                          "to 256 threads (got " +
                              std::to_string(bounds.blocks) + " and " + std::to_string(bounds.threads) + ")",
                          "Choose such numbers, or 0 for automatic ones.");
    unsigned threads = bounds.threads != 0 ? bounds.threads : points <= 8192 ? 64 : 256;
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
    const unsigned room = cachedQuery(~0U, [&] { return raiseSharedMemoryLimit(kernel, around); });
    while (threads > kLanes && sharedBytes(around, threads) > room)
        threads /= 2;
    const std::size_t bytes = sharedBytes(around, threads);
    const unsigned resident = cachedQuery(0, [&] { return residentBlocks(kernel, threads, bytes); });
    const unsigned most = bounds.blocks != 0 ? std::min(bounds.blocks, resident) : resident;
    return shapeOf(points, threads, std::max(most, 1U));
}

} // namespace

void queueAlignment(const NdtRun& run, const NdtDeviceJob& job, const NdtLaunchBounds& bounds,
                    NdtDeviceEnd* end, NdtTraceEntry* trace, StreamView stream) {
    const AlignOne kernel = alignKernel(run.map.around);
    const Shape shape = chooseShape(bounds, run.map.around, job.count, kernel);
    GridReduction gridReduction{nullptr, shape.blocksPow2, shape.runs};
    Buffer<TaggedSum> taggedSums;
    cudaLaunchAttribute attribute{};
    if (shape.blocks > 1) {
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
    config.dynamicSmemBytes = sharedBytes(run.map.around, shape.threads);
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = shape.blocks > 1 ? 1 : 0;
    check(cudaLaunchKernelEx(&config, kernel, run, job, gridReduction, end, trace), "alignOne");
}

} // namespace scanloupe::cuda
