// Orients normals along a spanning tree of the pairs of neighbours that agree best (after Hoppe et al.,
// Surface reconstruction from unorganized points, 1992), on the device, see neighbour_pairs.h.
#include "kernels/field/surfels/cuda_surfels.cuh"
#include "kernels/field/surfels/neighbour_pairs.h"

namespace scanloupe::cuda {

namespace {

constexpr int kRoundsPerReadback = 4; // rounds between the host's checks whether any set was joined
constexpr Count kNoEdge = ~Count{0};

/// Normals, for the pairs of neighbours.
struct DeviceNormals {
    const float4* normals; ///< [V] w: the orientation is known
    __device__ bool isFree(std::uint32_t voxel) const { return normals[voxel].w == 0; }
    __device__ Vec3f normal(std::uint32_t voxel) const {
        const float4 n = normals[voxel];
        return {n.x, n.y, n.z};
    }
};
using NeighbourEdges = NeighbourPairs<DeviceNormals>;

/// State of the algorithm; all arrays are [V].
struct Forest {
    std::uint32_t voxels;
    OrientedLink* links;    ///< to the root of the voxel's set
    OrientedLink* hooks;    ///< for each root: another set's root, or itself
    Count* minEdge;         ///< for each root: the first pair that leaves its set
    std::uint8_t* interior; ///< not 0: all pairs of the voxel lie within its set

    __device__ bool isRoot(std::uint32_t voxel) const { return links[voxel].voxel() == voxel; }
};

__device__ void lower(Count* target, Count value) {
    if (value < __ldcg(target)) // read first: most values are not lower, and a read is cheaper than an atomic
                                // operation
        atomicMin(target, value);
}

__global__ void initForest(Forest forest) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels)
        return;
    forest.links[v] = OrientedLink::to(v, false);
    forest.minEdge[v] = kNoEdge;
    forest.interior[v] = 0;
}

/// Finds, for each set, the lowest-ranked pair that leads to another set. @param before number of sets that
/// were joined in the previous round; null in the first round
__global__ void findMinEdges(NeighbourEdges edges, Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || forest.interior[v] || !edges.isFree(v))
        return;
    const std::uint32_t mine = forest.links[v].voxel();
    bool interior = true;
    edges.forEach(v, [&](std::uint32_t other, Count order) {
        const std::uint32_t theirs = forest.links[other].voxel();
        if (mine == theirs)
            return;
        interior = false;
        lower(&forest.minEdge[mine], order);
        lower(&forest.minEdge[theirs], order);
    });
    if (interior)
        forest.interior[v] = 1;
}

__global__ void hookRoots(NeighbourEdges edges, Forest forest, const std::uint32_t* before,
                          std::uint32_t* joined) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || !forest.isRoot(v))
        return;
    OrientedLink hook = OrientedLink::to(v, false);
    const Count order = forest.minEdge[v];
    if (order != kNoEdge) {
        const NeighbourEdges::Pair edge = edges.at(order);
        const OrientedLink a = forest.links[edge.a], b = forest.links[edge.b];
        const std::uint32_t other = a.voxel() == v ? b.voxel() : a.voxel();
        // if both sets chose this pair, the lower root remains a root
        if (forest.minEdge[other] != order || other < v) {
            hook = OrientedLink::to(other, a.opposed() ^ b.opposed() ^ edge.opposed);
            atomicAdd(joined, 1u);
        }
    }
    forest.hooks[v] = hook;
}

/// Pointer jumping: each root follows the hooks to a remaining root, and stores the shortened link.
__global__ void jumpPointers(Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || !forest.isRoot(v))
        return;
    OrientedLink mine{__ldcg(&forest.hooks[v].word)};
    for (;;) {
        const OrientedLink next{__ldcg(&forest.hooks[mine.voxel()].word)};
        if (next.voxel() == mine.voxel())
            return;
        mine = mine.then(next);
        __stcg(&forest.hooks[v].word, mine.word);
    }
}

__global__ void relinkToRoots(Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0))
        return;
    const OrientedLink mine = forest.links[v];
    forest.links[v] = mine.then(forest.hooks[mine.voxel()]);
    forest.minEdge[v] = kNoEdge;
}

/// Numbered components.
struct Components {
    std::uint32_t* numbers; ///< [V] for each root: the number of its component
    std::uint32_t* lowest;  ///< [V] for each root: the lowest voxel of its component; that voxel is not
                            ///< flipped
    ComponentSums* sums;    ///< [components]
    FixedPointScale scale;
};

__global__ void numberComponents(NeighbourEdges edges, Forest forest, Components components,
                                 std::uint32_t* count) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !forest.isRoot(v) || !edges.isFree(v))
        return;
    components.numbers[v] = atomicAdd(count, 1u); // the order of the numbers does not matter
    components.lowest[v] = v;
}

__global__ void findLowest(NeighbourEdges edges, Forest forest, Components components) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !edges.isFree(v))
        return;
    std::uint32_t* lowest = &components.lowest[forest.links[v].voxel()];
    if (v < *lowest && v < __ldcg(lowest)) // read first; the L1 cache may hold an older value, which is never
                                           // lower
        atomicMin(lowest, v);
}

/// Detects whether all threads of a block or of a warp add to the same component, which is common in large
/// scans.
struct SharedTarget {
    bool block, warp;

    /// Must be called by all threads of the block.
    __device__ explicit SharedTarget(const ComponentSums* component) {
        __shared__ const ComponentSums* first;
        if (threadIdx.x == 0)
            first = component;
        __syncthreads();
        block = __syncthreads_and(component == first);
        const auto word = reinterpret_cast<Count>(component);
        warp = __all_sync(kFullWarp, word == __shfl_sync(kFullWarp, word, 0));
    }
};

/// Adds each thread's value to its target, with one atomic operation for all threads that share a target.
/// Must be called by all threads of the block. @param target null if the thread adds nothing
__device__ void reduceInto(std::int64_t* target, std::int64_t value, SharedTarget shared) {
    __shared__ Count warpSums[kBlockSize / 32];
    auto part = static_cast<Count>(value);
    if (shared.warp)
        for (int lanes = 16; lanes > 0; lanes /= 2)
            part += __shfl_xor_sync(kFullWarp, part, lanes);
    if (shared.block) {
        __syncthreads(); // wait until the sums of the previous call have been read
        if (threadIdx.x % 32 == 0)
            warpSums[threadIdx.x / 32] = part;
        __syncthreads();
        part = 0;
        for (const Count sum : warpSums)
            part += sum;
    }
    const unsigned group = shared.block ? kBlockSize : shared.warp ? 32 : 1;
    if (target && part != 0 && threadIdx.x % group == 0)
        atomicAdd(reinterpret_cast<Count*>(target), part);
}

__device__ Vec3f vectorOf(float4 v) {
    return {v.x, v.y, v.z};
}
__device__ void negate(float4& normal) {
    normal = {-normal.x, -normal.y, -normal.z, normal.w};
}

/// The voxels and their components.
struct OrientationWork {
    Forest forest;
    Components components;
    const float4* points; ///< [V] mean of each voxel
    float4* normals;      ///< [V] normal of each voxel

    __device__ bool isFree(std::size_t v) const { return v < forest.voxels && normals[v].w == 0; }
    __device__ ComponentSums* componentOf(std::size_t v) const {
        return components.sums + components.numbers[forest.links[v].voxel()];
    }
};

/// Flips normals to agree with the normal of the lowest voxel of their component, and sums the positions of
/// each component.
__global__ void orientAlike(OrientationWork work) {
    const std::size_t v = globalIndex();
    ComponentSums* component = nullptr;
    ComponentSums mine;
    if (work.isFree(v)) {
        const OrientedLink link = work.forest.links[v];
        if (link.opposed() != work.forest.links[work.components.lowest[link.voxel()]].opposed())
            negate(work.normals[v]);
        component = work.componentOf(v);
        work.components.scale.addPosition(mine, vectorOf(work.points[v]));
    }
    const SharedTarget shared(component);
    reduceInto(component ? &component->centre.x : nullptr, mine.centre.x, shared);
    reduceInto(component ? &component->centre.y : nullptr, mine.centre.y, shared);
    reduceInto(component ? &component->centre.z : nullptr, mine.centre.z, shared);
    reduceInto(component ? &component->voxels : nullptr, mine.voxels, shared);
}

__global__ void addNormals(OrientationWork work) {
    const std::size_t v = globalIndex();
    ComponentSums* component = nullptr;
    ComponentSums mine;
    if (work.isFree(v)) {
        component = work.componentOf(v);
        work.components.scale.addNormal(mine, *component, vectorOf(work.points[v]),
                                        vectorOf(work.normals[v]));
    }
    const SharedTarget shared(component);
    reduceInto(component ? &component->outwards : nullptr, mine.outwards, shared);
    reduceInto(component ? &component->extent : nullptr, mine.extent, shared);
    reduceInto(component ? &component->upwards : nullptr, mine.upwards, shared);
}

__global__ void orientOutwards(OrientationWork work) {
    const std::size_t v = globalIndex();
    if (work.isFree(v) && pointsInwards(*work.componentOf(v)))
        negate(work.normals[v]);
}

} // namespace

void propagateOrientation(const FieldJob& job, const BricksView& bricks, const VoxelPosition* positions,
                          DeviceSurfels& surfels) {
    const std::size_t voxels = job.voxels.size();
    const StreamView stream = job.stream;
    auto links = job.buffer<OrientedLink>(voxels), hooks = job.buffer<OrientedLink>(voxels);
    auto minEdge = job.buffer<Count>(voxels);
    auto interior = job.buffer<std::uint8_t>(voxels);
    const NeighbourEdges edges{bricks, positions, {surfels.normals.data()}};
    const Forest forest{static_cast<std::uint32_t>(voxels), links.data(), hooks.data(), minEdge.data(),
                        interior.data()};
    launch("initForest", voxels, stream, initForest, forest);
    struct Joined {
        std::uint32_t components[kRoundsPerReadback];
    };
    for (bool more = true; more;) {
        auto joined = job.zeros<Joined>(1);
        for (int round = 0; round < kRoundsPerReadback; ++round) {
            std::uint32_t* const count = joined.data()->components + round;
            const std::uint32_t* const before = round > 0 ? count - 1 : nullptr;
            launch("findMinEdges", voxels, stream, findMinEdges, edges, forest, before);
            launch("hookRoots", voxels, stream, hookRoots, edges, forest, before, count);
            launch("jumpPointers", voxels, stream, jumpPointers, forest, before);
            launch("relinkToRoots", voxels, stream, relinkToRoots, forest, before);
        }
        more = job.read(joined).components[kRoundsPerReadback - 1] > 0;
    }
    auto numbers = job.buffer<std::uint32_t>(voxels), lowest = job.buffer<std::uint32_t>(voxels);
    auto count = job.zeros<std::uint32_t>(1);
    Components components{numbers.data(), lowest.data(), nullptr, FixedPointScale::of(job.voxels.shape)};
    launch("numberComponents", voxels, stream, numberComponents, edges, forest, components, count.data());
    launch("findLowest", voxels, stream, findLowest, edges, forest, components);
    auto sums = job.zeros<ComponentSums>(job.read(count));
    components.sums = sums.data();
    const OrientationWork work{forest, components, surfels.points.data(), surfels.normals.data()};
    launch("orientAlike", voxels, stream, orientAlike, work);
    launch("addNormals", voxels, stream, addNormals, work);
    launch("orientOutwards", voxels, stream, orientOutwards, work);
}

} // namespace scanloupe::cuda
