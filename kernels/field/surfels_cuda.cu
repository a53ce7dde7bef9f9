// Normals from the means around each voxel, added up in the order z, y, x. Near a voxel one thread looks.
// Where that shows no plane a warp looks farther, at many voxels in hundreds of rows: its threads find them
// and what each adds, and then each of the eleven sums is added up by one of them.
#include "kernels/field/cuda_surfels.cuh"

namespace scanloupe::cuda {

namespace {

constexpr int kRowsAtOnce = 5; ///< that a thread loads: all of a layer, for the usual radius
constexpr int kScales = static_cast<int>(std::size(kWider));

/// Voxels in any order: what becomes of one does not depend on the others.
struct VoxelList {
    std::uint32_t* voxels;
    std::uint32_t* count;

    /// All threads of a warp have to call it.
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

/// Where normals go.
struct NormalsOut {
    float4* normals; ///< [V] as DeviceSurfels
    VoxelList left;  ///< voxels that need to look farther
    FieldTally* tally;

    /// All threads of a warp have to call it.
    /// @param settled whether the surfel is the voxel's
    __device__ void set(std::uint32_t voxel, bool there, bool settled, const Surfel& surfel) const {
        const bool known = there && settled;
        if (known)
            normals[voxel] = {surfel.normal.x, surfel.normal.y, surfel.normal.z, surfel.turned ? 1.0f : 0.0f};
        const unsigned guessed = __ballot_sync(kFullWarp, known && !surfel.turned);
        if (threadIdx.x % 32 == 0 && guessed != 0)
            atomicAdd(&tally->guessed, static_cast<std::uint32_t>(__popc(guessed)));
        left.add(voxel, there && !settled);
    }
};

/// What a launch looks at.
struct Piece {
    std::size_t begin, end;
};

/// How far is looked.
struct Look {
    Vec3i reach;
    Vec3f inverse; ///< 1 / radius^2

    explicit Look(const Support& support) : reach(support.reach), inverse(inverseSquares(support.radius)) {}
    __device__ std::uint32_t window() const { return (1u << (2 * reach.x + 1)) - 1; }
    /// Cells that a voxel looks at.
    std::size_t cells() const {
        return static_cast<std::size_t>((2 * reach.x + 1) * (2 * reach.y + 1) * (2 * reach.z + 1));
    }
};

__device__ Vec3f offset(float4 to, float4 from) {
    return {to.x - from.x, to.y - from.y, to.z - from.z};
}

__global__ void __launch_bounds__(kBlockSize)
    lookNear(Piece piece, SurfelSource source, BricksView bricks, const VoxelPlace* places,
             const float4* points, Look look, NormalsOut out) {
    const std::size_t voxel = piece.begin + globalIndex();
    const bool there = voxel < piece.end;
    bool settled = false;
    Surfel surfel;
    if (there) {
        surfel.turned = settled = source.fromFile(voxel, surfel.normal);
        if (!settled) {
            const float4 middle = points[voxel];
            const VoxelPlace place = places[voxel];
            const Vec3i at = place.at();
            NearbyMeans near;
            for (int z = at.z - look.reach.z; z <= at.z + look.reach.z; ++z) {
                for (int y = at.y - look.reach.y; y <= at.y + look.reach.y; y += kRowsAtOnce) {
                    VoxelRun runs[kRowsAtOnce];
#pragma unroll
                    for (int i = 0; i < kRowsAtOnce; ++i)
                        runs[i] =
                            y + i <= at.y + look.reach.y
                                ? bricks.row(place.brick, y + i, z).within(at.x - look.reach.x, look.window())
                                : VoxelRun{0, 0};
#pragma unroll
                    for (VoxelRun run : runs)
                        for (int n = run.count(); n > 0; --n) {
                            const float4 other = points[run.first++];
                            near.add(offset(other, middle), other.w, look.inverse);
                        }
                }
            }
            settled = settle(source, voxel, guessNormal(near), kScales == 1, surfel);
        }
    }
    out.set(static_cast<std::uint32_t>(voxel), there, settled, surfel);
}

constexpr unsigned kFarWarps = 4;                      ///< in a block
constexpr unsigned kFarBlocks = 2048;                  ///< at most: as many as a large GPU holds at once
constexpr std::size_t kMostFar = std::size_t{1} << 22; ///< voxels in one launch: 200 MB of sums

/// What a warp works on.
struct FarWork {
    static constexpr int kMostInRow = 2 * kBrickEdge - 1;
    std::uint32_t voxels[32 * kMostInRow + 32]; ///< of 32 rows, and some left from those before
    float parts[NearbyMeans::kSums][32 + 1];    ///< of 32 means; one more, so that no two share a bank
};

/// Adds the means of 32 voxels or fewer. Lane i has sum i.
__device__ void addMeans(FarWork& work, int first, int count, const float4* points, float4 middle,
                         Vec3f inverse, float& sum, int& means) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    float mine[NearbyMeans::kSums];
    bool in = false;
    if (lane < count) {
        const float4 other = points[work.voxels[first + lane]];
        in = NearbyMeans::parts(offset(other, middle), other.w, inverse, mine);
    }
    const unsigned lanes = __ballot_sync(kFullWarp, in);
    const int place = __popc(lanes & ((1u << lane) - 1)), found = __popc(lanes);
    if (in)
#pragma unroll
        for (int i = 0; i < NearbyMeans::kSums; ++i)
            work.parts[i][place] = mine[i];
    __syncwarp();
    if (lane < NearbyMeans::kSums)
        for (int k = 0; k < found; ++k)
            sum += work.parts[lane][k];
    means += found;
    __syncwarp();
}

/// @param piece of the wanted voxels
/// @param near [piece] gets what was gathered
__global__ void __launch_bounds__(32 * kFarWarps)
    lookFar(Piece piece, BricksView bricks, const VoxelPlace* places, const float4* points, Look look,
            VoxelList wanted, NearbyMeans* near) {
    __shared__ FarWork works[kFarWarps];
    FarWork& work = works[threadIdx.x / 32];
    const int lane = static_cast<int>(threadIdx.x % 32), sizeY = 2 * look.reach.y + 1,
              rows = sizeY * (2 * look.reach.z + 1);
    const std::size_t end = std::min<std::size_t>(piece.end, *wanted.count);
    for (std::size_t i = piece.begin + blockIdx.x * kFarWarps + threadIdx.x / 32; i < end;
         i += gridDim.x * kFarWarps) {
        const std::uint32_t voxel = wanted.voxels[i];
        const float4 middle = points[voxel];
        const VoxelPlace place = places[voxel];
        const Vec3i low = place.at() - look.reach;
        float sum = 0;
        int means = 0, waiting = 0;
        for (int first = 0; first < rows; first += 32) {
            const int row = first + lane;
            VoxelRun run{0, 0};
            if (row < rows)
                run = bricks.row(place.brick, low.y + row % sizeY, low.z + row / sizeY)
                          .within(low.x, look.window());
            const int mine = run.count();
            int upTo = mine; // voxels of this row and those before
            for (int lanes = 1; lanes < 32; lanes *= 2) {
                const int before = __shfl_up_sync(kFullWarp, upTo, static_cast<unsigned>(lanes));
                upTo += lane >= lanes ? before : 0;
            }
            for (int k = 0; k < mine; ++k)
                work.voxels[waiting + upTo - mine + k] = run.first + static_cast<std::uint32_t>(k);
            waiting += __shfl_sync(kFullWarp, upTo, 31);
            __syncwarp();
            int done = 0;
            for (; done + 32 <= waiting; done += 32)
                addMeans(work, done, 32, points, middle, look.inverse, sum, means);
            waiting -= done;
            const std::uint32_t rest = lane < waiting ? work.voxels[done + lane] : 0;
            __syncwarp();
            if (lane < waiting)
                work.voxels[lane] = rest;
            __syncwarp();
        }
        addMeans(work, 0, waiting, points, middle, look.inverse, sum, means);
        if (lane < NearbyMeans::kSums)
            near[i - piece.begin].sums[lane] = sum;
        if (lane == 0)
            near[i - piece.begin].means = means;
    }
}

__global__ void __launch_bounds__(kBlockSize) settleFar(Piece piece, SurfelSource source, VoxelList wanted,
                                                        const NearbyMeans* near, bool last, NormalsOut out) {
    const std::size_t i = piece.begin + globalIndex();
    const bool there = i < piece.end && i < *wanted.count;
    const std::uint32_t voxel = there ? wanted.voxels[i] : 0;
    Surfel surfel;
    const bool settled = there && settle(source, voxel, guessNormal(near[i - piece.begin]), last, surfel);
    out.set(voxel, there, settled, surfel);
}

} // namespace

DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPlace* places,
                          const NormalSource& source, FieldTally* tally) {
    const std::size_t voxels = job.voxels.size();
    const SurfelSource columns = surfelSource(job.voxels, source);
    DeviceSurfels surfels{trustedMeans(job), job.buffer<float4>(voxels)};
    const float4* const points = surfels.points.data();
    Buffer<std::uint32_t> lists[2] = {job.buffer<std::uint32_t>(voxels), job.buffer<std::uint32_t>(voxels)};
    const auto listAfter = [&](int scale) { return VoxelList{lists[scale % 2].data(), &tally->left[scale]}; };
    const Look nearLook(wider(job.layout.normals, kWider[0]));
    job.inPieces(voxels, nearLook.cells(), [&](std::size_t begin, std::size_t count) {
        launch("lookNear", count, job.stream, lookNear, Piece{begin, begin + count}, columns, bricks, places,
               points, nearLook, NormalsOut{surfels.normals.data(), listAfter(0), tally});
    });
    auto near = job.buffer<NearbyMeans>(std::min(voxels, kMostFar));
    for (int scale = 1; scale < kScales;
         ++scale) { // few are wanted, but how many is known on the device only
        const VoxelList wanted = listAfter(scale - 1);
        const Look look(wider(job.layout.normals, kWider[scale]));
        const NormalsOut out{surfels.normals.data(), listAfter(scale), tally};
        job.inPieces(voxels, std::max(look.cells(), kCellsAtOnce / kMostFar + 1),
                     [&](std::size_t begin, std::size_t count) {
                         const Piece piece{begin, begin + count};
                         const auto blocks = std::min<std::size_t>((count - 1) / kFarWarps + 1, kFarBlocks);
                         lookFar<<<static_cast<unsigned>(blocks), 32 * kFarWarps, 0, ownStream(job.stream)>>>(
                             piece, bricks, places, points, look, wanted, near.data());
                         check(cudaGetLastError(), "lookFar");
                         launch("settleFar", count, job.stream, settleFar, piece, columns, wanted,
                                near.data(), scale + 1 == kScales, out);
                     });
    }
    return surfels;
}

} // namespace scanloupe::cuda
