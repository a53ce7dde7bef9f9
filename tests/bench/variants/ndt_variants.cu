// Aligns by kernels that run all iterations, as the product's does, in the ways of cuda_ndt_ways.cuh.
#include "tests/bench/variants/ndt_variants.h"

#include "kernels/core/cuda_check.h"
#include "tests/bench/variants/cuda_ndt_graph.h"
#include "tests/bench/variants/cuda_ndt_ways.cuh"

#include <bit>
#include <new>

namespace scanloupe::cuda {

namespace {

/// Sums of WayCounts.
struct CountSums {
    unsigned long long all, spared;
};

__device__ unsigned sumOfCounts(unsigned value) {
#pragma unroll
    for (int apart = 16; apart > 0; apart /= 2)
        value += __shfl_xor_sync(kAllOfWarp, value, apart);
    return value;
}

/// Runs one alignment with the whole grid, a thread for each point.
template <class Way>
__global__ void __launch_bounds__(kMaxThreads, 1)
    alignBy(NdtRun run, NdtDeviceJob job, GridReduction gridReduction, WaySetup setup, NdtDeviceEnd* end,
            CountSums* counts) {
    RunSpace& space = runSpace();
    space.rows.clear();
    if (threadIdx.x == 0)
        new (&space.newton) NdtNewtonState(job.start);
    Way way(run.map, job, globalIndex(), reinterpret_cast<unsigned char*>(&space) + kRunBytes, setup);
    NdtNewtonParams newtonParams = run.newtonParams;
    newtonParams.arc = job.arc;
    __syncthreads();
    std::uint64_t epoch = 0;
    while (!space.newton.done) {
        const RigidTransform candidate = space.newton.candidate;
        NdtTotals& totals = space.newton.candidateTotals();
        float terms[kNdtTerms];
        way.terms(run.map, candidate, terms);
        __syncwarp();
        reduceAcrossGrid(space.rows, gridReduction, blockIdx.x, gridDim.x, ++epoch, sumOverLanes(terms),
                         totals.terms);
        Way::update(newtonParams, space, totals);
    }
    const WayCounts mine = way.counts();
    const unsigned all = sumOfCounts(mine.all), spared = sumOfCounts(mine.spared);
    if (threadIdx.x % kLanes == 0 && all > 0) {
        atomicAdd(&counts->all, static_cast<unsigned long long>(all));
        atomicAdd(&counts->spared, static_cast<unsigned long long>(spared));
    }
    if (threadIdx.x != 0 || blockIdx.x != 0)
        return;
    end->pose = space.newton.pose;
    end->totals = space.newton.poseTotals();
    end->iterations = space.newton.iterations;
    end->end = space.newton.end;
}

using AlignBy = void (*)(NdtRun, NdtDeviceJob, GridReduction, WaySetup, NdtDeviceEnd*, CountSums*);

/// A kernel, and the shared memory of its blocks besides RunSpace: for each thread, and for each block.
struct WayKernel {
    AlignBy kernel;
    std::size_t ofThread, ofBlock;
};
WayKernel kernelOf(NdtVariant variant) {
    constexpr std::size_t held = Neighbours<NdtNeighbourList::kSlots>::bytes(1);
    switch (variant) {
    case NdtVariant::readCells:
        return {alignBy<ReadPoint<GlobalFetch>>, 0, 0};
    case NdtVariant::texture:
        return {alignBy<ReadPoint<TextureFetch>>, 0, 0};
    case NdtVariant::cellCache:
        return {alignBy<ReadPoint<CachedFetch>>, 0, CachedFetch::kCells * sizeof(NdtSlot)};
    case NdtVariant::warpSolve:
        return {alignBy<WarpSolve>, held, 0};
    case NdtVariant::earlyExit:
        return {alignBy<EarlyExit>, held, 0};
    case NdtVariant::graphLaunches:
    case NdtVariant::graphLoop:
        break;
    }
    throw Fault("a graph was asked for where a kernel is queued");
}

/// Owns a texture over a map's slots.
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

/// Smaller changes of a score of up to 2.2 to 4.2 for each pair don't count.
constexpr float kLeastChange = 1e-8f;
/// As the product has them where each thread has a point.
constexpr std::uint32_t kMaxPoints = 1024 * kLanes;
unsigned threadsFor(std::uint32_t points) {
    return points <= 8192 ? 64 : 256;
}

NdtVariantResult alignByKernel(NdtVariant variant, const NdtDeviceMap& map, const NdtRun& run,
                               const NdtDeviceJob& job, StreamView stream) {
    const SlotTexture slots(run.map, map.cellCount());
    const WayKernel way = kernelOf(variant);
    const unsigned threads = threadsFor(job.count), blocks = (job.count + threads - 1) / threads;
    const std::size_t bytes = kRunBytes + way.ofThread * threads + way.ofBlock;
    check(cudaFuncSetAttribute(way.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(bytes)),
          "cudaFuncSetAttribute");
    auto end = Buffer<NdtDeviceEnd>::in(MemorySpace::device, 1, stream);
    auto counts = Buffer<CountSums>::in(MemorySpace::device, 1, stream);
    check(cudaMemsetAsync(counts.data(), 0, counts.bytes(), ownStream(stream)), "cudaMemsetAsync");
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeCooperative;
    attribute.val.cooperative = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.dynamicSmemBytes = bytes;
    config.stream = ownStream(stream);
    config.attrs = &attribute;
    config.numAttrs = 1;
    EventTimer timer(stream);
    auto taggedSums =
        Buffer<TaggedSum>::in(MemorySpace::device, std::size_t{2} * taggedRows(blocks) * kLanes, stream);
    check(cudaMemsetAsync(taggedSums.data(), 0, taggedSums.bytes(), ownStream(stream)), "cudaMemsetAsync");
    const GridReduction gridReduction{taggedSums.data(), std::bit_ceil(blocks), 1};
    const WaySetup setup{slots.object(), kLeastChange};
    check(cudaLaunchKernelEx(&config, way.kernel, run, job, gridReduction, setup, end.data(), counts.data()),
          "alignBy");
    timer.stop();
    const auto found = end.copyTo(MemorySpace::host, stream);
    const auto sums = counts.copyTo(MemorySpace::host, stream);
    stream.synchronize(); // the texture is destroyed next
    return {found[0].pose, found[0].totals.score(), found[0].iterations, timer.elapsedMs(),
            sums[0].all > 0 ? double(sums[0].spared) / double(sums[0].all) : 0};
}

} // namespace

NdtVariantResult alignNdtBy(NdtVariant variant, const NdtDeviceMap& map, const NdtDeviceScan& scan,
                            const RigidTransform& start, const NdtParams& params, StreamView stream) {
    checkNdt(params);
    if (params.neighbours != NdtNeighbours::direct7 || scan.points().size() > kMaxPoints)
        throw KernelError("the variants align up to 32,768 points, with 7 neighbours", "Thin the scan.");
    if (scan.spread().finite == 0 || map.cellCount() == 0)
        throw KernelError("there is nothing to align", "Take a scan and a map with points.");
    const NdtRun run = ndtRun(map, params);
    const NdtDeviceJob job = ndtJob(map, scan, checkNdtStart(start));
    const bool isGraph = variant == NdtVariant::graphLaunches || variant == NdtVariant::graphLoop;
    NdtVariantResult result = isGraph ? alignByGraph(variant == NdtVariant::graphLoop, run, job, stream)
                                      : alignByKernel(variant, map, run, job, stream);
    result.pose = ndtFrame(map, scan).toWorld(result.pose);
    return result;
}

} // namespace scanloupe::cuda
