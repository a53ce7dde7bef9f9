// Estimates the normals of voxels on the device, from moments summed in the order z, y, x. With the smallest
// support, one thread processes a voxel. If no plane is found, a warp processes the voxel with a larger
// support, which contains many voxels in hundreds of rows. The threads of the warp find these voxels and
// compute their terms; then each of eleven threads adds up one of the eleven sums.
#include "kernels/field/surfels/cuda_surfels.cuh"

namespace scanloupe::cuda {

namespace {

constexpr int kRowsPerLoad = 5; ///< number of rows that a thread loads together: a whole layer for the usual
                                ///< radius
constexpr int kScales = static_cast<int>(std::size(kSupportFactors));

/// A list of voxels in arbitrary order; the voxels are processed independently.
struct VoxelList {
    std::uint32_t* voxels;
    std::uint32_t* count;

    /// Appends a voxel if it is wanted. Must be called by all threads of a warp.
    __device__ void add(std::uint32_t voxel, bool wanted) const {
        const unsigned lane = threadIdx.x % 32, lanes = __ballot_sync(kFullWarp, wanted);
        std::uint32_t first = 0;
        if (lane == 0 && lanes != 0)
            first = atomicAdd(count, static_cast<std::uint32_t>(__popc(lanes)));
        first = __shfl_sync(kFullWarp, first, 0);
        if (wanted)
            voxels[first + static_cast<std::uint32_t>(__popc(lanes & ((1u << lane) - 1)))] = voxel;
    }
};

/// Output of the normal estimation.
struct NormalsOut {
    float4* normals;   ///< [V] see DeviceSurfels
    VoxelList pending; ///< voxels that need a larger support
    FieldCounters* counters;

    /// Stores a result. Must be called by all threads of a warp.
    /// @param there whether the thread has a voxel
    /// @param accepted whether the surfel is final
    __device__ void set(std::uint32_t voxel, bool there, bool accepted, const Surfel& surfel) const {
        const bool known = there && accepted;
        if (known)
            normals[voxel] = {surfel.normal.x, surfel.normal.y, surfel.normal.z,
                              surfel.oriented ? 1.0f : 0.0f};
        const unsigned guessed = __ballot_sync(kFullWarp, known && !surfel.oriented);
        if (threadIdx.x % 32 == 0 && guessed != 0)
            atomicAdd(&counters->guessed, static_cast<std::uint32_t>(__popc(guessed)));
        pending.add(voxel, there && !accepted);
    }
};

/// The range of items that a launch processes.
struct IndexRange {
    std::size_t begin, end;
};

/// The window of voxels that a voxel's support covers.
struct SearchWindow {
    Vec3i reach;
    Vec3f inverse; ///< 1 / radius^2 along each axis

    explicit SearchWindow(const Support& support)
        : reach(support.reach), inverse(inverseSquares(support.radius)) {}
    __device__ std::uint32_t rowMask() const { return (1u << (2 * reach.x + 1)) - 1; }
    /// Returns the number of voxel positions in the window.
    std::size_t cells() const {
        return static_cast<std::size_t>((2 * reach.x + 1) * (2 * reach.y + 1) * (2 * reach.z + 1));
    }
};

__device__ Vec3f offset(float4 to, float4 from) {
    return {to.x - from.x, to.y - from.y, to.z - from.z};
}

__global__ void __launch_bounds__(kBlockSize)
    estimateNormals(IndexRange range, SurfelSource source, BricksView bricks, const VoxelPosition* positions,
                    const float4* points, SearchWindow window, NormalsOut out) {
    const std::size_t voxel = range.begin + globalIndex();
    const bool there = voxel < range.end;
    bool accepted = false;
    Surfel surfel;
    if (there) {
        surfel.oriented = accepted = source.fromFile(voxel, surfel.normal);
        if (!accepted) {
            const float4 middle = points[voxel];
            const VoxelPosition place = positions[voxel];
            const Vec3i at = place.at();
            WeightedMoments moments;
            for (int z = at.z - window.reach.z; z <= at.z + window.reach.z; ++z) {
                for (int y = at.y - window.reach.y; y <= at.y + window.reach.y; y += kRowsPerLoad) {
                    VoxelRun runs[kRowsPerLoad];
#pragma unroll
                    for (int i = 0; i < kRowsPerLoad; ++i)
                        runs[i] = y + i <= at.y + window.reach.y
                                      ? bricks.row(place.brick, y + i, z)
                                            .within(at.x - window.reach.x, window.rowMask())
                                      : VoxelRun{0, 0};
#pragma unroll
                    for (VoxelRun run : runs)
                        for (int n = run.count(); n > 0; --n) {
                            const float4 other = points[run.first++];
                            moments.add(offset(other, middle), other.w, window.inverse);
                        }
                }
            }
            accepted = acceptEstimate(source, voxel, estimateNormal(moments), kScales == 1, surfel);
        }
    }
    out.set(static_cast<std::uint32_t>(voxel), there, accepted, surfel);
}

constexpr unsigned kFarWarps = 4;     ///< number of warps per block
constexpr unsigned kFarBlocks = 2048; ///< maximum number of blocks: as many as a large GPU runs concurrently
constexpr std::size_t kMaxFarVoxels = std::size_t{1} << 22; ///< maximum number of voxels per launch: 200 MB
                                                            ///< of sums

/// Shared memory of one warp.
struct GatherSpace {
    static constexpr int kMaxInRow = 2 * kBrickEdge - 1;
    std::uint32_t voxels[32 * kMaxInRow + 32];   ///< voxel indices of 32 rows, and those left over from
                                                 ///< previous rows
    float terms[WeightedMoments::kSums][32 + 1]; ///< terms of 32 means; padded to avoid bank conflicts
};

/// Adds the means of at most 32 voxels. Lane i accumulates sum i.
__device__ void addMeans(GatherSpace& space, int first, int count, const float4* points, float4 middle,
                         Vec3f inverse, float& sum, int& means) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    float mine[WeightedMoments::kSums];
    bool in = false;
    if (lane < count) {
        const float4 other = points[space.voxels[first + lane]];
        in = WeightedMoments::terms(offset(other, middle), other.w, inverse, mine);
    }
    const unsigned lanes = __ballot_sync(kFullWarp, in);
    const int place = __popc(lanes & ((1u << lane) - 1)), found = __popc(lanes);
    if (in)
#pragma unroll
        for (int i = 0; i < WeightedMoments::kSums; ++i)
            space.terms[i][place] = mine[i];
    __syncwarp();
    if (lane < WeightedMoments::kSums)
        for (int k = 0; k < found; ++k)
            sum += space.terms[lane][k];
    means += found;
    __syncwarp();
}

/// Computes the moments of voxels. @param range range of the voxels in the list
/// @param moments [range] output
__global__ void __launch_bounds__(32 * kFarWarps)
    gatherMoments(IndexRange range, BricksView bricks, const VoxelPosition* positions, const float4* points,
                  SearchWindow window, VoxelList wanted, WeightedMoments* moments) {
    __shared__ GatherSpace spaces[kFarWarps];
    GatherSpace& space = spaces[threadIdx.x / 32];
    const int lane = static_cast<int>(threadIdx.x % 32), sizeY = 2 * window.reach.y + 1,
              rows = sizeY * (2 * window.reach.z + 1);
    const std::size_t end = std::min<std::size_t>(range.end, *wanted.count);
    for (std::size_t i = range.begin + blockIdx.x * kFarWarps + threadIdx.x / 32; i < end;
         i += gridDim.x * kFarWarps) {
        const std::uint32_t voxel = wanted.voxels[i];
        const float4 middle = points[voxel];
        const VoxelPosition place = positions[voxel];
        const Vec3i low = place.at() - window.reach;
        float sum = 0;
        int means = 0, waiting = 0;
        for (int first = 0; first < rows; first += 32) {
            const int row = first + lane;
            VoxelRun run{0, 0};
            if (row < rows)
                run = bricks.row(place.brick, low.y + row % sizeY, low.z + row / sizeY)
                          .within(low.x, window.rowMask());
            const int mine = run.count();
            int upTo = mine; // number of voxels in this row and the previous rows
            for (int lanes = 1; lanes < 32; lanes *= 2) {
                const int before = __shfl_up_sync(kFullWarp, upTo, static_cast<unsigned>(lanes));
                upTo += lane >= lanes ? before : 0;
            }
            for (int k = 0; k < mine; ++k)
                space.voxels[waiting + upTo - mine + k] = run.first + static_cast<std::uint32_t>(k);
            waiting += __shfl_sync(kFullWarp, upTo, 31);
            __syncwarp();
            int done = 0;
            for (; done + 32 <= waiting; done += 32)
                addMeans(space, done, 32, points, middle, window.inverse, sum, means);
            waiting -= done;
            const std::uint32_t rest = lane < waiting ? space.voxels[done + lane] : 0;
            __syncwarp();
            if (lane < waiting)
                space.voxels[lane] = rest;
            __syncwarp();
        }
        addMeans(space, 0, waiting, points, middle, window.inverse, sum, means);
        if (lane < WeightedMoments::kSums)
            moments[i - range.begin].sums[lane] = sum;
        if (lane == 0)
            moments[i - range.begin].means = means;
    }
}

__global__ void __launch_bounds__(kBlockSize)
    estimateFarNormals(IndexRange range, SurfelSource source, VoxelList wanted,
                       const WeightedMoments* moments, bool last, NormalsOut out) {
    const std::size_t i = range.begin + globalIndex();
    const bool there = i < range.end && i < *wanted.count;
    const std::uint32_t voxel = there ? wanted.voxels[i] : 0;
    Surfel surfel;
    const bool accepted =
        there && acceptEstimate(source, voxel, estimateNormal(moments[i - range.begin]), last, surfel);
    out.set(voxel, there, accepted, surfel);
}

} // namespace

DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          const NormalSource& source, FieldCounters* counters) {
    const std::size_t voxels = job.voxels.size();
    const SurfelSource columns = surfelSource(job.voxels, source);
    DeviceSurfels surfels{confidenceMeans(job), job.buffer<float4>(voxels)};
    const float4* const points = surfels.points.data();
    Buffer<std::uint32_t> lists[2] = {job.buffer<std::uint32_t>(voxels), job.buffer<std::uint32_t>(voxels)};
    const auto listAfter = [&](int scale) {
        return VoxelList{lists[scale % 2].data(), &counters->pending[scale]};
    };
    const SearchWindow nearWindow(scaledSupport(job.layout.normals, kSupportFactors[0]));
    job.inBatches(voxels, nearWindow.cells(), [&](std::size_t begin, std::size_t count) {
        launch("estimateNormals", count, job.stream, estimateNormals, IndexRange{begin, begin + count},
               columns, bricks, positions, points, nearWindow,
               NormalsOut{surfels.normals.data(), listAfter(0), counters});
    });
    auto moments = job.buffer<WeightedMoments>(std::min(voxels, kMaxFarVoxels));
    // launched without knowing the number of voxels, which is only on the device; few voxels need a larger
    // support
    for (int scale = 1; scale < kScales; ++scale) {
        const VoxelList wanted = listAfter(scale - 1);
        const SearchWindow window(scaledSupport(job.layout.normals, kSupportFactors[scale]));
        const NormalsOut out{surfels.normals.data(), listAfter(scale), counters};
        job.inBatches(
            voxels, std::max(window.cells(), kMaxCellsPerLaunch / kMaxFarVoxels + 1),
            [&](std::size_t begin, std::size_t count) {
                const IndexRange range{begin, begin + count};
                const auto blocks = std::min<std::size_t>((count - 1) / kFarWarps + 1, kFarBlocks);
                gatherMoments<<<static_cast<unsigned>(blocks), 32 * kFarWarps, 0, ownStream(job.stream)>>>(
                    range, bricks, positions, points, window, wanted, moments.data());
                check(cudaGetLastError(), "gatherMoments");
                launch("estimateFarNormals", count, job.stream, estimateFarNormals, range, columns, wanted,
                       moments.data(), scale + 1 == kScales, out);
            });
    }
    return surfels;
}

} // namespace scanloupe::cuda
