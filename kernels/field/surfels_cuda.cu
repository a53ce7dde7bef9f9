// Normals from the means around each voxel: one thread a voxel, which adds them up in the order z, y, x.
// Voxels that show no plane are listed and look farther in a launch of their own, so that all threads of a
// warp look equally far.
#include "kernels/field/cuda_surfels.cuh"

namespace scanloupe::cuda {

namespace {

constexpr int kScales = static_cast<int>(std::size(kWider));

/// Calls `body(run)` for the voxels in the rows around a voxel, ascending.
template <class Body>
__device__ void forRunsAround(const BricksView& bricks, VoxelPlace place, Vec3i reach, Body&& body) {
    const Vec3i at = place.at();
    const std::uint32_t* around = bricks.around + std::size_t{place.brick} * kNeighbours;
    const std::uint32_t window = (1u << (2 * reach.x + 1)) - 1;
    const std::uint32_t rowWindow = ((1u << (2 * reach.y + 1)) - 1) << (at.y - reach.y + kBrickEdge);
    for (int dz = -1; dz <= 1; ++dz) {
        const int low = std::max(at.z - reach.z, dz * kBrickEdge),
                  high = std::min(at.z + reach.z, dz * kBrickEdge + 7);
        if (low > high)
            continue;
        std::uint32_t others[3];
        std::uint64_t rowBits[3];
#pragma unroll
        for (int dy = -1; dy <= 1; ++dy) {
            others[dy + 1] = around[neighbourSlot(0, dy, dz)];
            rowBits[dy + 1] = others[dy + 1] == kNoBrick ? 0 : bricks.rowBits[others[dy + 1]];
        }
        for (int z = low; z <= high; ++z) {
            const int shift = (z & 7) * kBrickEdge;
            std::uint32_t rows = static_cast<std::uint32_t>(rowBits[0] >> shift & 0xff) |
                                 static_cast<std::uint32_t>(rowBits[1] >> shift & 0xff) << 8 |
                                 static_cast<std::uint32_t>(rowBits[2] >> shift & 0xff) << 16;
            for (rows &= rowWindow; rows != 0; rows &= rows - 1) {
                const int y = __ffs(static_cast<int>(rows)) - 1; // from the brick before in y
                const std::uint32_t other = y < 8 ? others[0] : y < 16 ? others[1] : others[2];
                const BrickRow row =
                    bricks.rows[std::size_t{other} * kRows + static_cast<std::size_t>(shift + (y & 7))];
                const VoxelRun run = row.within(at.x - reach.x, window);
                if (run.bits != 0)
                    body(run);
            }
        }
    }
}

/// @param wanted voxels to look at, `*count` of them; null: all
/// @param left gets those that need to look farther
struct VoxelLists {
    const std::uint32_t* wanted;
    const std::uint32_t* count;
    std::uint32_t* left;
    std::uint32_t* leftCount;
};

__global__ void __launch_bounds__(kBlockSize)
    estimateNormals(SurfelSource source, BricksView bricks, const VoxelPlace* places, const float4* points,
                    Vec3i reach, Vec3f inverse, bool last, VoxelLists lists, float4* normals,
                    FieldTally* tally) {
    const std::size_t i = globalIndex(), count = lists.wanted ? *lists.count : source.voxels;
    bool farther = false, guessed = false;
    const std::size_t voxel = i < count && lists.wanted ? lists.wanted[i] : i;
    if (i < count) {
        Surfel surfel;
        surfel.turned = !lists.wanted && source.fromFile(voxel, surfel.normal);
        if (!surfel.turned) {
            const float4 middle = points[voxel];
            NearbyMeans means;
            forRunsAround(bricks, places[voxel], reach, [&](VoxelRun run) {
                for (int n = run.count(); n > 0; --n) {
                    const float4 other = points[run.first++];
                    means.add({other.x - middle.x, other.y - middle.y, other.z - middle.z}, other.w, inverse);
                }
            });
            farther = !settle(source, voxel, guessNormal(means), last, surfel);
            guessed = !farther && !surfel.turned;
        }
        if (!farther)
            normals[voxel] = {surfel.normal.x, surfel.normal.y, surfel.normal.z, surfel.turned ? 1.0f : 0.0f};
    }
    const unsigned lane = threadIdx.x % 32, lanes = __ballot_sync(kFullWarp, farther),
                   unknown = __ballot_sync(kFullWarp, guessed);
    std::uint32_t first = 0;
    if (lane == 0 && lanes != 0)
        first = atomicAdd(lists.leftCount, static_cast<std::uint32_t>(__popc(lanes)));
    if (lane == 0 && unknown != 0)
        atomicAdd(&tally->guessed, static_cast<std::uint32_t>(__popc(unknown)));
    first = __shfl_sync(kFullWarp, first, 0);
    if (farther) // in any order: what becomes of a voxel does not depend on the others
        lists.left[first + static_cast<std::uint32_t>(__popc(lanes & ((1u << lane) - 1)))] =
            static_cast<std::uint32_t>(voxel);
}

} // namespace

DeviceSurfels makeSurfels(const FieldJob& job, const BricksView& bricks, const VoxelPlace* places,
                          const NormalSource& source, FieldTally* tally) {
    const std::size_t voxels = job.voxels.size();
    const SurfelSource columns = surfelSource(job.voxels, source);
    DeviceSurfels surfels{trustedMeans(job), job.buffer<float4>(voxels)};
    Buffer<std::uint32_t> lists[2] = {job.buffer<std::uint32_t>(voxels), job.buffer<std::uint32_t>(voxels)};
    for (int scale = 0; scale < kScales; ++scale) {
        const Support support = wider(job.layout.normals, kWider[scale]);
        const VoxelLists mine{scale == 0 ? nullptr : lists[(scale + 1) % 2].data(),
                              &tally->left[scale == 0 ? 0 : scale - 1], lists[scale % 2].data(),
                              &tally->left[scale]};
        launch("estimateNormals", voxels, job.stream, estimateNormals, columns, bricks, places,
               surfels.points.data(), support.reach, inverseSquares(support.radius), scale + 1 == kScales,
               mine, surfels.normals.data(), tally);
        job.throwIfStopped();
    }
    return surfels;
}

} // namespace scanloupe::cuda
