// Turns normals as their neighbours are, on the device. The CPU takes all pairs of neighbours in a fixed
// order and joins two sets wherever one connects them (Kruskal); here each set looks for the first pair that
// leaves it, and all join at once, round after round (Boruvka). No two pairs come at the same place of the
// order, so that both find the same tree and each voxel is turned the same way.
#include "kernels/field/cuda_surfels.cuh"
#include "kernels/field/orient_element.h"

namespace scanloupe::cuda {

namespace {

constexpr int kRoundsAtOnce = 4; // before the host looks whether any are left
constexpr int kFirstStep = 14;   // half of the 26 neighbours: each pair once
constexpr Count kNoPair = ~Count{0};

/// How a voxel is linked to another: where that one is, shifted by one, and whether they are turned against
/// each other. One word, so that threads which follow links while others shorten them see both parts at once.
struct Link {
    Count word;

    __device__ static Link to(std::uint32_t voxel, bool against) {
        return {Count{voxel} << 1 | static_cast<Count>(against)};
    }
    __device__ std::uint32_t voxel() const { return static_cast<std::uint32_t>(word >> 1); }
    __device__ bool against() const { return word & 1u; }
    /// This link and then another.
    __device__ Link then(Link next) const { return {next.word ^ (word & 1u)}; }
};

struct Pair {
    std::uint32_t a, b;
    bool against;
};

/// The pairs of neighbours that are to be turned alike, and their order.
struct Pairs {
    BricksView bricks;
    const VoxelPlace* places; ///< [V]
    const float4* normals;    ///< [V]

    __device__ bool isFree(std::uint32_t voxel) const { return normals[voxel].w == 0; }
    __device__ float agreement(std::uint32_t a, std::uint32_t b) const {
        const float4 m = normals[a], n = normals[b];
        return dot(Vec3f{m.x, m.y, m.z}, Vec3f{n.x, n.y, n.z});
    }
    __device__ VoxelRun neighbour(VoxelPlace place, int step) const {
        const Vec3i at = place.at() + Vec3i{step % 3 - 1, step / 3 % 3 - 1, step / 9 - 1};
        return bricks.row(place.brick, at.y, at.z).within(at.x, 1);
    }
    /// Calls `body(other, order)` for the later neighbours of a voxel.
    template <class Body>
    __device__ void forEach(std::uint32_t voxel, Body&& body) const {
        const VoxelPlace place = places[voxel];
        for (int step = kFirstStep; step < 27; ++step) {
            const VoxelRun other = neighbour(place, step);
            if (other.bits == 0 || !isFree(other.first))
                continue;
            const int level = agreementClass(agreement(voxel, other.first));
            body(other.first, Count(level) << 60 | Count{place.brick} << 13 | Count{place.local} << 4 |
                                  Count(step - kFirstStep));
        }
    }
    /// The pair at this place of the order.
    __device__ Pair at(Count order) const {
        const VoxelPlace place{static_cast<std::uint32_t>(order >> 13),
                               static_cast<std::uint32_t>(order >> 4 & 511u)};
        const BrickRow row = bricks.rows[std::size_t{place.brick} * kRows + (place.local >> 3)];
        const std::uint32_t a = row.within(place.at().x, 1).first,
                            b = neighbour(place, static_cast<int>(order & 15u) + kFirstStep).first;
        return {a, b, agreement(a, b) < 0};
    }
};

/// What the rounds work on: [V] each.
struct Forest {
    std::uint32_t voxels;
    Link* links;         ///< to the root of the voxel's set
    Link* joins;         ///< of a root: to another set's, or to itself
    Count* first;        ///< of a root: the first pair that leaves its set
    std::uint8_t* inner; ///< not 0: all pairs of the voxel lie within its set

    __device__ bool isRoot(std::uint32_t voxel) const { return links[voxel].voxel() == voxel; }
};

__device__ void lower(Count* target, Count value) {
    if (value < __ldcg(target)) // most come too late, and a read is cheaper than an atomic
        atomicMin(target, value);
}

__global__ void plant(Forest forest) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels)
        return;
    forest.links[v] = Link::to(v, false);
    forest.first[v] = kNoPair;
    forest.inner[v] = 0;
}

/// @param before how many sets were joined in the round before; null in the first
__global__ void findFirstPairs(Pairs pairs, Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || forest.inner[v] || !pairs.isFree(v))
        return;
    const std::uint32_t mine = forest.links[v].voxel();
    bool inner = true;
    pairs.forEach(v, [&](std::uint32_t other, Count order) {
        const std::uint32_t theirs = forest.links[other].voxel();
        if (mine == theirs)
            return;
        inner = false;
        lower(&forest.first[mine], order);
        lower(&forest.first[theirs], order);
    });
    if (inner)
        forest.inner[v] = 1;
}

__global__ void joinSets(Pairs pairs, Forest forest, const std::uint32_t* before, std::uint32_t* joined) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || !forest.isRoot(v))
        return;
    Link join = Link::to(v, false);
    const Count order = forest.first[v];
    if (order != kNoPair) {
        const Pair pair = pairs.at(order & ~(Count{3} << 60));
        const Link a = forest.links[pair.a], b = forest.links[pair.b];
        const std::uint32_t other = a.voxel() == v ? b.voxel() : a.voxel();
        if (forest.first[other] != order || other < v) { // else both chose this pair, and the lower one stays
            join = Link::to(other, a.against() ^ b.against() ^ pair.against);
            atomicAdd(joined, 1u);
        }
    }
    forest.joins[v] = join;
}

/// Roots follow each other until all point to one that stays; what they have found they leave for others.
__global__ void shortenJoins(Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0) || !forest.isRoot(v))
        return;
    Link mine{__ldcg(&forest.joins[v].word)};
    for (;;) {
        const Link next{__ldcg(&forest.joins[mine.voxel()].word)};
        if (next.voxel() == mine.voxel())
            return;
        mine = mine.then(next);
        __stcg(&forest.joins[v].word, mine.word);
    }
}

__global__ void linkToRoots(Forest forest, const std::uint32_t* before) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || (before && *before == 0))
        return;
    const Link mine = forest.links[v];
    forest.links[v] = mine.then(forest.joins[mine.voxel()]);
    forest.first[v] = kNoPair;
}

/// Sets by number.
struct Sets {
    std::uint32_t* numbers; ///< [V] of roots
    std::uint32_t* lowest;  ///< [V] of roots: the set's lowest voxel, which is not turned
    SetSums* sums;          ///< [sets]
    SetScale scale;
};

__global__ void numberSets(Pairs pairs, Forest forest, Sets sets, std::uint32_t* count) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !forest.isRoot(v) || !pairs.isFree(v))
        return;
    sets.numbers[v] = atomicAdd(count, 1u); // in any order
    sets.lowest[v] = v;
}

__global__ void findLowest(Pairs pairs, Forest forest, Sets sets) {
    const auto v = static_cast<std::uint32_t>(globalIndex());
    if (v >= forest.voxels || !pairs.isFree(v))
        return;
    std::uint32_t* lowest = &sets.lowest[forest.links[v].voxel()];
    if (v < *lowest && v < __ldcg(lowest)) // the nearest cache may hold what was there before, never less
        atomicMin(lowest, v);
}

/// Whether all threads of a block or of a warp have the same set, as most have in a large scan.
struct Alike {
    bool block, warp;

    /// All threads have to call it.
    __device__ explicit Alike(const SetSums* set) {
        __shared__ const SetSums* first;
        if (threadIdx.x == 0)
            first = set;
        __syncthreads();
        block = __syncthreads_and(set == first);
        const auto word = reinterpret_cast<Count>(set);
        warp = __all_sync(kFullWarp, word == __shfl_sync(kFullWarp, word, 0));
    }
};

/// Adds what a thread has to its target: once for all that have the same. All threads have to call it.
/// @param target null for a thread that has none
__device__ void addPart(std::int64_t* target, std::int64_t value, Alike alike) {
    __shared__ Count warpSums[kBlockSize / 32];
    auto part = static_cast<Count>(value);
    if (alike.warp)
        for (int lanes = 16; lanes > 0; lanes /= 2)
            part += __shfl_xor_sync(kFullWarp, part, lanes);
    if (alike.block) {
        __syncthreads(); // the sums of the call before have been read
        if (threadIdx.x % 32 == 0)
            warpSums[threadIdx.x / 32] = part;
        __syncthreads();
        part = 0;
        for (const Count sum : warpSums)
            part += sum;
    }
    const unsigned group = alike.block ? kBlockSize : alike.warp ? 32 : 1;
    if (target && part != 0 && threadIdx.x % group == 0)
        atomicAdd(reinterpret_cast<Count*>(target), part);
}

__device__ Vec3f vectorOf(float4 v) {
    return {v.x, v.y, v.z};
}
__device__ void turn(float4& normal) {
    normal = {-normal.x, -normal.y, -normal.z, normal.w};
}

/// What is known of the voxels, and their sets.
struct Turning {
    Forest forest;
    Sets sets;
    const float4* points; ///< [V]
    float4* normals;      ///< [V]

    __device__ bool isFree(std::size_t v) const { return v < forest.voxels && normals[v].w == 0; }
    __device__ SetSums* setOf(std::size_t v) const {
        return sets.sums + sets.numbers[forest.links[v].voxel()];
    }
};

/// Turns voxels as the lowest one of their set looks, and adds up their places.
__global__ void turnAlike(Turning turning) {
    const std::size_t v = globalIndex();
    SetSums* set = nullptr;
    SetSums mine;
    if (turning.isFree(v)) {
        const Link link = turning.forest.links[v];
        if (link.against() != turning.forest.links[turning.sets.lowest[link.voxel()]].against())
            turn(turning.normals[v]);
        set = turning.setOf(v);
        turning.sets.scale.addPlace(mine, vectorOf(turning.points[v]));
    }
    const Alike alike(set);
    addPart(set ? &set->centre.x : nullptr, mine.centre.x, alike);
    addPart(set ? &set->centre.y : nullptr, mine.centre.y, alike);
    addPart(set ? &set->centre.z : nullptr, mine.centre.z, alike);
    addPart(set ? &set->voxels : nullptr, mine.voxels, alike);
}

__global__ void addNormals(Turning turning) {
    const std::size_t v = globalIndex();
    SetSums* set = nullptr;
    SetSums mine;
    if (turning.isFree(v)) {
        set = turning.setOf(v);
        turning.sets.scale.addNormal(mine, *set, vectorOf(turning.points[v]), vectorOf(turning.normals[v]));
    }
    const Alike alike(set);
    addPart(set ? &set->outwards : nullptr, mine.outwards, alike);
    addPart(set ? &set->extent : nullptr, mine.extent, alike);
    addPart(set ? &set->upwards : nullptr, mine.upwards, alike);
}

__global__ void turnOutwards(Turning turning) {
    const std::size_t v = globalIndex();
    if (turning.isFree(v) && looksInwards(*turning.setOf(v)))
        turn(turning.normals[v]);
}

} // namespace

void orientLikeNeighbours(const FieldJob& job, const BricksView& bricks, const VoxelPlace* places,
                          DeviceSurfels& surfels) {
    const std::size_t voxels = job.voxels.size();
    const StreamView stream = job.stream;
    auto links = job.buffer<Link>(voxels), joins = job.buffer<Link>(voxels);
    auto first = job.buffer<Count>(voxels);
    auto inner = job.buffer<std::uint8_t>(voxels);
    const Pairs pairs{bricks, places, surfels.normals.data()};
    const Forest forest{static_cast<std::uint32_t>(voxels), links.data(), joins.data(), first.data(),
                        inner.data()};
    launch("plant", voxels, stream, plant, forest);
    struct Joined {
        std::uint32_t sets[kRoundsAtOnce];
    };
    for (bool more = true; more;) {
        auto joined = job.zeros<Joined>(1);
        for (int round = 0; round < kRoundsAtOnce; ++round) {
            std::uint32_t* const count = joined.data()->sets + round;
            const std::uint32_t* const before = round > 0 ? count - 1 : nullptr;
            launch("findFirstPairs", voxels, stream, findFirstPairs, pairs, forest, before);
            launch("joinSets", voxels, stream, joinSets, pairs, forest, before, count);
            launch("shortenJoins", voxels, stream, shortenJoins, forest, before);
            launch("linkToRoots", voxels, stream, linkToRoots, forest, before);
        }
        more = job.read(joined).sets[kRoundsAtOnce - 1] > 0;
    }
    auto numbers = job.buffer<std::uint32_t>(voxels), lowest = job.buffer<std::uint32_t>(voxels);
    auto count = job.zeros<std::uint32_t>(1);
    Sets sets{numbers.data(), lowest.data(), nullptr, SetScale::of(job.voxels.shape)};
    launch("numberSets", voxels, stream, numberSets, pairs, forest, sets, count.data());
    launch("findLowest", voxels, stream, findLowest, pairs, forest, sets);
    auto sums = job.zeros<SetSums>(job.read(count));
    sets.sums = sums.data();
    const Turning turning{forest, sets, surfels.points.data(), surfels.normals.data()};
    launch("turnAlike", voxels, stream, turnAlike, turning);
    launch("addNormals", voxels, stream, addNormals, turning);
    launch("turnOutwards", voxels, stream, turnOutwards, turning);
}

} // namespace scanloupe::cuda
