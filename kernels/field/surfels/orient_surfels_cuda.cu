// Orients normals along a spanning tree of the pairs of neighbours that agree best (after Hoppe et al.,
// Surface reconstruction from unorganized points, 1992), on the device. The CPU processes all pairs of
// neighbours in a fixed order and joins two sets wherever a pair connects them (Kruskal); here each set finds
// its first outgoing pair, and all sets join at once, round after round (Boruvka). No two pairs have the same
// rank in that order, so that both find the same tree and flip the same voxels.
#include "kernels/field/surfels/cuda_surfels.cuh"
#include "kernels/field/surfels/orient_element.h"

namespace scanloupe::cuda {

namespace {

constexpr int kRoundsPerReadback = 4; // rounds between the host's checks whether any set was joined
constexpr int kFirstNeighbour = 14;   // half of the 26 neighbours: each pair once
constexpr Count kNoEdge = ~Count{0};

/// Link of a voxel to another: the other's index, shifted by one, and whether their normals are opposed. One
/// word, so that threads which follow links while others shorten them read both parts at once.
struct Link {
    Count word;

    __device__ static Link to(std::uint32_t voxel, bool opposed) {
        return {Count{voxel} << 1 | static_cast<Count>(opposed)};
    }
    __device__ std::uint32_t voxel() const { return static_cast<std::uint32_t>(word >> 1); }
    __device__ bool opposed() const { return word & 1u; }
    /// This link followed by `next`.
    __device__ Link then(Link next) const { return {next.word ^ (word & 1u)}; }
};

struct NeighbourEdge {
    std::uint32_t a, b;
    bool opposed;
};

/// The pairs of neighbours whose normals are to agree, and their order.
struct NeighbourEdges {
    BricksView bricks;
    const VoxelPosition* positions; ///< [V]
    const float4* normals;          ///< [V]

    __device__ bool isFree(std::uint32_t voxel) const { return normals[voxel].w == 0; }
    __device__ float agreement(std::uint32_t a, std::uint32_t b) const {
        const float4 m = normals[a], n = normals[b];
        return dot(Vec3f{m.x, m.y, m.z}, Vec3f{n.x, n.y, n.z});
    }
    __device__ VoxelRun neighbour(VoxelPosition place, int step) const {
        const Vec3i at = place.at() + Vec3i{step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        return bricks.row(place.brick, at.y, at.z).within(at.x, 1);
    }
    /// Calls `body(other, order)` for the later neighbours of a voxel.
    template <class Body>
    __device__ void forEach(std::uint32_t voxel, Body&& body) const {
        const VoxelPosition place = positions[voxel];
        for (int step = kFirstNeighbour; step < 27; ++step) {
            const VoxelRun other = neighbour(place, step);
            if (other.bits == 0 || !isFree(other.first))
                continue;
            const int level = agreementClass(agreement(voxel, other.first));
            body(other.first, Count(level) << 60 | Count{place.brick} << 13 | Count{place.local} << 4 |
                                  Count(step - kFirstNeighbour));
        }
    }
    /// The pair at this rank of the order.
    __device__ NeighbourEdge at(Count order) const {
        const VoxelPosition place{static_cast<std::uint32_t>(order >> 13),
                                  static_cast<std::uint32_t>(order >> 4 & 511u)};
        const BrickRow row = bricks.rows[std::size_t{place.brick} * kBrickRows + (place.local >> 3)];
        const std::uint32_t a = row.within(place.at().x, 1).first,
                            b = neighbour(place, static_cast<int>(order & 15u) + kFirstNeighbour).first;
        return {a, b, agreement(a, b) < 0};
    }
};

/// State of the rounds: [V] each.
struct Forest {
    std::uint32_t voxels;
    Link* links;            ///< to the root of the voxel's set
    Link* hooks;            ///< for each root: another set's root, or itself
    Count* minEdge;         ///< for each root: the first pair that leaves its set
    std::uint8_t* interior; ///< not 0: all pairs of the voxel lie within its set

    __device__ bool isRoot(std::uint32_t voxel) const { return links[voxel].voxel() == voxel; }
};

__device__ void lower(Count* target, Count value) {
    if (value < __ldcg(target)) // most values are not lower, and a read is cheaper than an atomic operation
        atomicMin(target, value);
}

__global__ void initForest(Forest forest) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels)
        return;
    forest.links[v] = Link::to(v, false);
    forest.minEdge[v] = kNoEdge;
    forest.interior[v] = 0;
}

/// @param before number of sets that were joined in the previous round; null in the first
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
    Link hook = Link::to(v, false);
    const Count order = forest.minEdge[v];
    if (order != kNoEdge) {
        const NeighbourEdge edge = edges.at(order & ~(Count{3} << 60));
        const Link a = forest.links[edge.a], b = forest.links[edge.b];
        const std::uint32_t other = a.voxel() == v ? b.voxel() : a.voxel();
        // if both sets chose this pair, the lower root stays
        if (forest.minEdge[other] != order || other < v) {
            hook = Link::to(other, a.opposed() ^ b.opposed() ^ edge.opposed);
            atomicAdd(joined, 1u);
        }
    }
    forest.hooks[v] = hook;
}

/// Pointer jumping: each root follows the hooks to a root that stays, and stores the shortened link for
/// others.
__global__ void jumpPointers(Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || !forest.isRoot(v))
        return;
    Link mine{__ldcg(&forest.hooks[v].word)};
    for (;;) {
        const Link next{__ldcg(&forest.hooks[mine.voxel()].word)};
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
    const Link mine = forest.links[v];
    forest.links[v] = mine.then(forest.hooks[mine.voxel()]);
    forest.minEdge[v] = kNoEdge;
}

/// Components by number.
struct Components {
    std::uint32_t* numbers; ///< [V] number of each root's component
    std::uint32_t* lowest;  ///< [V] for each root: the component's lowest voxel, which is not flipped
    ComponentSums* sums;    ///< [components]
    FixedPointScale scale;
};

__global__ void numberComponents(NeighbourEdges edges, Forest forest, Components components,
                                 std::uint32_t* count) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !forest.isRoot(v) || !edges.isFree(v))
        return;
    components.numbers[v] = atomicAdd(count, 1u); // numbers in any order
    components.lowest[v] = v;
}

__global__ void findLowest(NeighbourEdges edges, Forest forest, Components components) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !edges.isFree(v))
        return;
    std::uint32_t* lowest = &components.lowest[forest.links[v].voxel()];
    if (v < *lowest && v < __ldcg(lowest)) // the L1 cache may hold an older value, which is never lower
        atomicMin(lowest, v);
}

/// Whether all threads of a block or of a warp add to the same component, as is usual in a large scan.
struct SharedTarget {
    bool block, warp;

    /// All threads have to call it.
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

/// Adds each thread's value to its target, with one atomic for all threads that share a target. All threads
/// have to call it. @param target null for a thread without one
__device__ void reduceInto(std::int64_t* target, std::int64_t value, SharedTarget shared) {
    __shared__ Count warpSums[kBlockSize / 32];
    auto part = static_cast<Count>(value);
    if (shared.warp)
        for (int lanes = 16; lanes > 0; lanes /= 2)
            part += __shfl_xor_sync(kFullWarp, part, lanes);
    if (shared.block) {
        __syncthreads(); // the sums of the previous call have been read
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
    const float4* points; ///< [V]
    float4* normals;      ///< [V]

    __device__ bool isFree(std::size_t v) const { return v < forest.voxels && normals[v].w == 0; }
    __device__ ComponentSums* componentOf(std::size_t v) const {
        return components.sums + components.numbers[forest.links[v].voxel()];
    }
};

/// Flips normals to agree with that of the lowest voxel of their component, and sums up positions.
__global__ void orientAlike(OrientationWork work) {
    const std::size_t v = globalIndex();
    ComponentSums* component = nullptr;
    ComponentSums mine;
    if (work.isFree(v)) {
        const Link link = work.forest.links[v];
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
    auto links = job.buffer<Link>(voxels), hooks = job.buffer<Link>(voxels);
    auto minEdge = job.buffer<Count>(voxels);
    auto interior = job.buffer<std::uint8_t>(voxels);
    const NeighbourEdges edges{bricks, positions, surfels.normals.data()};
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
