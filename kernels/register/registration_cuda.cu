// Registers surfaces on the GPU: cooperative kernels run all iterations, and each block keeps a copy of the
// state.
#include "kernels/core/cuda_check.h"
#include "kernels/register/ndt/cuda_grid_sums.cuh"
#include "kernels/register/registration_report.h"
#include "kernels/register/surface_device.h"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace scanloupe::cuda {

namespace {

static_assert(kSurfaceLanes == kLanes && kFactorTerms <= int(kLanes));
constexpr unsigned kSearchThreads = kMaxWarps * kLanes;

struct RegistrationRun {
    RegistrationPlan plan;
    SurfaceFactors factors[kMaxSurfaceLevels];
};

/// State of a block. Stored in raw shared memory, since its members have constructors.
struct RegistrationSpace {
    GridRows rows;
    double terms[kLanes];
    Vec3d middle;
    RegistrationState state;
};
constexpr std::size_t kSpaceBytes = (sizeof(RegistrationSpace) + 15) / 16 * 16;
__device__ RegistrationSpace& registrationSpace() {
    extern __shared__ __align__(16) unsigned char raw[];
    return *reinterpret_cast<RegistrationSpace*>(raw);
}

/// Returns the sums of hardware warp `warp`, which runs `runs` logical warps, see surface_factors.h: lane t
/// gets term t. `add(i, sums)` must add patch i. Must be called by all lanes.
template <class Add>
__device__ double sumOfPatches(std::uint32_t count, unsigned warp, unsigned runs, const Add& add) {
    const unsigned warps = surfaceWarps(count);
    TreeSum sum;
    for (unsigned run = 0; run < runs; ++run) {
        const unsigned next = warp * runs + run;
        if (next >= warps || next * kLanes >= count) { // the condition is equal for all lanes of the warp
            sum.add(0);
            continue;
        }
        FactorSums sums;
        for (std::uint32_t i = next * kLanes + threadIdx.x % kLanes; i < count; i += warps * kLanes)
            add(i, sums);
        __syncwarp();
        sum.add(sumOverLanes(sums.terms));
    }
    return sum.sum();
}

__device__ FactorSums factorSums(const double (&terms)[kLanes]) {
    FactorSums sums;
#pragma unroll
    for (int t = 0; t < kFactorTerms; ++t)
        sums.terms[t] = terms[t];
    return sums;
}

/// Finds the centre of the scan and the spread of its surfaces, and begins a search.
__global__ void __launch_bounds__(kSearchThreads, 1)
    beginSearch(const __grid_constant__ RegistrationRun run, GridReduction gridReduction,
                RegistrationState* state) {
    RegistrationSpace& space = registrationSpace();
    space.rows.clear();
    const unsigned warp = blockIdx.x * kMaxWarps + threadIdx.x / kLanes;
    const SurfaceFactors& finest = run.factors[kFinestLevel];
    const auto sum = [&](std::uint64_t epoch, const auto& add) {
        const double warpSum = sumOfPatches(finest.count, warp, gridReduction.runs, add);
        reduceAcrossGrid(space.rows, gridReduction, blockIdx.x, gridDim.x, epoch, warpSum, space.terms);
    };
    sum(1, [&](std::uint32_t i, FactorSums& sums) { addMean(finest.source[i], sums); });
    if (threadIdx.x == 0)
        space.middle = meanOf(factorSums(space.terms), finest.count);
    __syncthreads();
    sum(2, [&](std::uint32_t i, FactorSums& sums) { addMoments(finest.source[i], space.middle, sums); });
    if (threadIdx.x == 0 && blockIdx.x == 0) {
        const SurfaceSpread spread = spreadOf(space.middle, factorSums(space.terms), finest.count);
        RegistrationState begun;
        begun.begin(run.plan, finest.origin + spread.middle, spread.moments);
        *state = begun;
    }
}

/// Not inlined, so that its registers are not reserved during the summation.
__device__ __noinline__ void updateState(const RegistrationPlan& plan, RegistrationSpace& space) {
    space.state.update(plan, factorSums(space.terms));
}

/// Iterates from the current level down to level `last`.
__global__ void __launch_bounds__(kSearchThreads, 1)
    searchLevels(const __grid_constant__ RegistrationRun run, int last, GridReduction gridReduction,
                 RegistrationState* kept) {
    RegistrationSpace& space = registrationSpace();
    space.rows.clear();
    if (threadIdx.x == 0)
        new (&space.state) RegistrationState(*kept);
    __syncthreads();
    const unsigned warp = blockIdx.x * kMaxWarps + threadIdx.x / kLanes;
    std::uint64_t epoch = 0;
    while (!space.state.done && space.state.level >= last) {
        const SurfaceFactors& factors = run.factors[space.state.level];
        const RigidTransform pose = space.state.pose;
        const Vec3d shift = factors.origin - space.state.middle;
        const double scale = space.state.scale;
        const double warpSum =
            sumOfPatches(factors.count, warp, gridReduction.runs, [&](std::uint32_t i, FactorSums& sums) {
                factors.add(pose, shift, scale, i, sums);
            });
        reduceAcrossGrid(space.rows, gridReduction, blockIdx.x, gridDim.x, ++epoch, warpSum, space.terms);
        if (threadIdx.x == 0)
            updateState(run.plan, space);
        __syncthreads();
    }
    if (threadIdx.x == 0 && blockIdx.x == 0)
        *kept = space.state;
}

/// Returns the number of blocks that can be resident at once on this thread's device, or 1 if blocks cannot
/// wait for each other. Caches device queries, since they take longer than a registration.
template <class Kernel>
unsigned blocksAtOnce(Kernel kernel) {
    static std::mutex mutex;
    static std::map<std::pair<int, Kernel>, unsigned> known;
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    const std::lock_guard lock(mutex);
    const auto key = std::make_pair(device, kernel);
    if (const auto at = known.find(key); at != known.end())
        return at->second;
    int cooperative = 0, multiprocessors = 0, each = 0;
    check(cudaDeviceGetAttribute(&cooperative, cudaDevAttrCooperativeLaunch, device),
          "cudaDeviceGetAttribute");
    check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
          "cudaDeviceGetAttribute");
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, kernel, int(kSearchThreads), kSpaceBytes),
          "cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    const unsigned blocks = cooperative != 0 ? unsigned(multiprocessors * each) : 1;
    return known.emplace(key, std::max(blocks, 1U)).first->second;
}

/// Blocks of a kernel that sums `patches` patches, and memory through which they exchange sums.
class SearchGrid {
public:
    template <class Kernel>
    SearchGrid(Kernel kernel, std::uint32_t patches, StreamView stream) : m_stream(stream) {
        const unsigned most = blocksAtOnce(kernel),
                       used = std::min((patches + kLanes - 1) / kLanes, surfaceWarps(patches));
        const auto blocksFor = [&](unsigned runs) {
            return (used + kMaxWarps * runs - 1) / (kMaxWarps * runs);
        };
        while (blocksFor(m_reduction.runs) > most)
            m_reduction.runs *= 2;
        m_blocks = std::max(blocksFor(m_reduction.runs), 1U);
        m_reduction.blocksPow2 = std::bit_ceil(m_blocks);
        if (m_blocks == 1)
            return;
        m_taggedSums = Buffer<TaggedSum>::in(MemorySpace::device,
                                             std::size_t{2} * taggedRows(m_blocks) * kLanes, stream);
        check(cudaMemsetAsync(m_taggedSums.data(), 0, m_taggedSums.bytes(), ownStream(stream)),
              "cudaMemsetAsync");
        m_reduction.taggedSums = m_taggedSums.data();
    }

    template <class... Parameters, class... Arguments>
    void launch(const char* name, void (*kernel)(Parameters...), const Arguments&... arguments) const {
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeCooperative;
        attribute.val.cooperative = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(m_blocks);
        config.blockDim = dim3(kSearchThreads);
        config.dynamicSmemBytes = kSpaceBytes;
        config.stream = ownStream(m_stream);
        config.attrs = &attribute;
        config.numAttrs = m_blocks > 1 ? 1 : 0;
        check(cudaLaunchKernelEx(&config, kernel, arguments...), name);
    }
    const GridReduction& reduction() const { return m_reduction; }

private:
    StreamView m_stream;
    unsigned m_blocks = 1;
    GridReduction m_reduction;
    Buffer<TaggedSum> m_taggedSums;
};

RegistrationResult runSearch(const RegistrationRun& run, StreamView stream) {
    EventTimer device(stream);
    auto kept = Buffer<RegistrationState>::in(MemorySpace::device, 1, stream);
    const std::uint32_t finestCount = run.factors[kFinestLevel].count; // at least as many as at kThinLevel
    const SearchGrid begin(beginSearch, finestCount, stream), finest(searchLevels, finestCount, stream);
    begin.launch("beginSearch", beginSearch, run, begin.reduction(), kept.data());
    if (run.plan.levelCount > kFinestLevel + 1) {
        std::uint32_t most = 0;
        for (int level = kFinestLevel + 1; level < run.plan.levelCount; ++level)
            most = std::max(most, run.factors[level].count);
        const SearchGrid coarse(searchLevels, most, stream);
        coarse.launch("searchLevels", searchLevels, run, kFinestLevel + 1, coarse.reduction(), kept.data());
    }
    finest.launch("searchLevels", searchLevels, run, kThinLevel, finest.reduction(), kept.data());
    device.stop();
    RegistrationState state;
    scanloupe::detail::copyBytes(&state, MemorySpace::host, kept.data(), MemorySpace::device, sizeof state,
                                 stream);
    stream.synchronize();
    RegistrationResult result = registrationResult(run.plan, state);
    result.cost.deviceMs = device.elapsedMs();
    return result;
}

} // namespace

RegistrationResult registerSurfaces(const DeviceSurfacePyramid& target, const DeviceSurfacePyramid& source,
                                    const RigidTransform& start, const RegistrationParams& params,
                                    const std::stop_token& stop, StreamView stream) {
    const WallTimer timer;
    RegistrationResult result;
    result.pose = checkRegistration(params, start);
    checkSameEdges(target, source);
    if (stop.stop_requested())
        throw Cancelled();
    result.end =
        endAtOnce(source.levels()[kFinestLevel].patchCount(), target.levels()[kFinestLevel].patchCount());
    if (result.end == RegistrationEnd::converged) {
        RegistrationRun run{registrationPlan(target, source, result.pose, params), {}};
        for (std::size_t i = 0; i < target.levels().size(); ++i)
            run.factors[i] = surfaceFactors(target.levels()[i], source.levels()[i], params);
        result = runSearch(run, stream);
    }
    result.cost.wallMs = timer.elapsedMs();
    return result;
}

} // namespace scanloupe::cuda
