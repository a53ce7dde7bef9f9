// Classifies the nodes of a field on the device, and counts the vertices and triangles of each brick. This is
// step 1 of marching cubes; it processes 64 nodes or cells at a time as bits of a word.
#include "kernels/field/core/brick_slices.h"
#include "kernels/mesh/extract/cuda_surface.cuh"
#include "kernels/mesh/extract/surface_element.h"

#include <algorithm>

namespace scanloupe::cuda {

namespace {

/// The samples that one lane of findSigns reads: four times four adjacent samples.
struct LaneSamples {
    float4 of[4];

    template <class Test>
    __device__ static std::uint32_t bitsOf(const float4& four, Test&& test) {
        return (test(four.x) ? 1u : 0u) | (test(four.y) ? 2u : 0u) | (test(four.z) ? 4u : 0u) |
               (test(four.w) ? 8u : 0u);
    }
    /// Returns word wordOfLane() of the brick's 16 words, with a bit for each sample that passes the test.
    /// Initially each of eight lanes has four bits of each of four words. The lanes exchange bits until each
    /// lane has one complete word; each word then exists twice.
    template <class Test>
    __device__ std::uint32_t word(Test&& test) const {
        const unsigned lane = threadIdx.x % 32, shift = lane % 8 * 4;
        std::uint32_t words[4];
#pragma unroll
        for (unsigned i = 0; i < 4; ++i)
            words[i] = bitsOf(of[i], test) << shift;
        const bool odd = (lane & 1) != 0, second = (lane & 2) != 0;
        std::uint32_t a = odd ? words[1] : words[0], b = odd ? words[3] : words[2];
        a |= __shfl_xor_sync(kAllLanes, odd ? words[0] : words[1], 1);
        b |= __shfl_xor_sync(kAllLanes, odd ? words[2] : words[3], 1);
        std::uint32_t mine = second ? b : a;
        mine |= __shfl_xor_sync(kAllLanes, second ? a : b, 2);
        return mine | __shfl_xor_sync(kAllLanes, mine, 4);
    }
    __device__ static unsigned wordOfLane() {
        const unsigned lane = threadIdx.x % 32;
        return lane % 4 * 4 + lane / 8;
    }
};

/// Computes the signs of nodes with one warp per brick, reading every sample once, in order. For dense
/// fields, the speed of these reads limits the whole extraction.
__global__ void __launch_bounds__(kBlockSize, 8) findSigns(SurfaceWork work) {
    triggerDependentLaunch();
    const std::size_t brick = globalIndex() / 32;
    const unsigned lane = threadIdx.x % 32;
    if (brick >= work.bricks.count)
        return;
    const auto* from = reinterpret_cast<const float4*>(work.values + brick * kBrickNodes) + lane;
    LaneSamples samples;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i)
        samples.of[i] = from[i * 32];
    const float iso = *work.iso;
    const std::uint32_t inside =
        samples.word([&](float value) { return isInside(value, iso, work.insideBelow); });
    float odd = 0; // stays 0 unless a value is NaN or infinite
#pragma unroll
    for (const float4& four : samples.of)
        odd = __fmaf_rn(four.x, 0.0f,
                        __fmaf_rn(four.y, 0.0f, __fmaf_rn(four.z, 0.0f, __fmaf_rn(four.w, 0.0f, odd))));
    const bool writes = lane % 8 < 4;
    const std::size_t at = brick * 16 + LaneSamples::wordOfLane();
    if (writes)
        work.inside[at] = inside;
    unsigned signs = __any_sync(kAllLanes, inside != 0) ? kSomeInside : 0;
    signs |= __any_sync(kAllLanes, inside != kAllLanes) ? kSomeOutside : 0;
    if (__any_sync(kAllLanes, !(odd == 0.0f))) {
        const std::uint32_t known = samples.word([](float value) { return isSample(value); });
        if (writes)
            work.known[at] = known;
        signs |= kSomeUnknown;
    }
    if (lane == 0) {
        work.signs[brick] = static_cast<std::uint8_t>(signs);
        reinterpret_cast<std::uint8_t*>(work.isZeroAreaCandidate)[brick] = 0;
    }
}

__device__ Word shuffled(Word word, unsigned lane) {
    return __shfl_sync(kAllLanes, static_cast<LongWord>(word), static_cast<int>(lane), kBrickEdge);
}
__device__ unsigned bitCount(Word word) {
    return static_cast<unsigned>(__popcll(static_cast<LongWord>(word)));
}

/// Masks of a brick and its neighbours, slice by slice. Only used by the few lanes with nodes without a
/// sample, or with cells that cannot contain surface.
struct NeighbourMasks {
    const SurfaceWork& work;
    std::uint32_t brick;
    Vec3i place;

    __device__ std::uint32_t at(int dx, int dy, int z) const {
        return work.bricks.neighbour(brick, place, dx, dy, z < 0 ? -1 : z >= kBrickEdge ? 1 : 0);
    }
    /// Returns the nodes that have a sample, z from -1 to 8.
    __device__ Word known(int dx, int dy, int z) const {
        const std::uint32_t other = at(dx, dy, z);
        if (other == kNoBrick)
            return 0;
        if ((work.signs[other] & kSomeUnknown) == 0)
            return ~Word{0};
        const auto* words = reinterpret_cast<const Word*>(work.known) + std::size_t{other} * kBrickEdge;
        return words[z & (kBrickEdge - 1)];
    }
    /// Returns the cells whose corners in slice z all have samples.
    __device__ Word knownCells(int dx, int dy, int z) const {
        return all(cornersAbove(known(dx, dy, z), known(dx + 1, dy, z), known(dx, dy + 1, z),
                                known(dx + 1, dy + 1, z)));
    }
    /// Returns the cells that may contain surface, z from -1 to 7.
    __device__ Word enabled(int dx, int dy, int z) const {
        const std::uint32_t other = at(dx, dy, z);
        if (other == kNoBrick)
            return 0;
        const Word mask = work.cellMask[std::size_t{other} * kBrickEdge + (z & (kBrickEdge - 1))];
        return mask == 0 ? 0 : mask & knownCells(dx, dy, z) & knownCells(dx, dy, z + 1);
    }
};

/// The crossed edges of a slice along x, y and z that belong to a cell that may contain surface.
struct SliceEdges {
    Word along[3];
};

/// Returns, for each axis, the edges that belong to at least one of the given cells. `level`, `below`: the
/// cells around each node, in the slice of the edges' lower nodes and in the slice below it.
__device__ SliceEdges incidentEdges(const CornerBits& level, const CornerBits& below) {
    return {
        {level[0] | level[2] | below[0] | below[2], level[0] | level[1] | below[0] | below[1], any(level)}};
}

// The next two functions are long and rarely needed; not inlining them saves registers.

/// Returns the cells of slice z whose corners all have samples.
__device__ __noinline__ Word cellsWithSamples(const SurfaceWork& work, std::uint32_t brick, Vec3i place,
                                              int z) {
    const NeighbourMasks around{work, brick, place};
    return around.knownCells(0, 0, z) & around.knownCells(0, 0, z + 1);
}

/// Returns, for each axis, the edges that belong to at least one enabled cell. `here`: enabled cells of the
/// slice itself.
__device__ __noinline__ SliceEdges edgesOfCells(const SurfaceWork& work, std::uint32_t brick, Vec3i place,
                                                Word here, int z) {
    const NeighbourMasks around{work, brick, place};
    const CornerBits level =
        cornersBelow(here, around.enabled(-1, 0, z), around.enabled(0, -1, z), around.enabled(-1, -1, z));
    const CornerBits below = cornersBelow(around.enabled(0, 0, z - 1), around.enabled(-1, 0, z - 1),
                                          around.enabled(0, -1, z - 1), 0);
    return incidentEdges(level, below);
}

/// Returns the number of triangles of 64 cells: the number of inside corners, minus 2 for each face whose
/// corners are all inside, minus 4 if only two opposite corners are outside. A test compares this formula
/// with the 256 cases.
__device__ unsigned countTriangles(const CornerBits& lower, const CornerBits& upper, Word active) {
    unsigned corners = 0, faces = 0;
    Word both[4], none[4]; // for each of the four space diagonals: both corners are inside, no corner is
                           // inside
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        corners += bitCount(lower[i] & active) + bitCount(upper[i] & active);
        both[i] = lower[i] & upper[3 - i];
        none[i] = ~(lower[i] | upper[3 - i]);
    }
    const Word first = both[0] & both[1], last = both[2] & both[3];
    const Word opposite = (none[0] & both[1] & last) | (both[0] & none[1] & last) |
                          (first & none[2] & both[3]) | (first & both[2] & none[3]);
    faces += bitCount(all(lower) & active) + bitCount(all(upper) & active);
    faces += bitCount(lower[0] & lower[2] & upper[0] & upper[2] & active);
    faces += bitCount(lower[1] & lower[3] & upper[1] & upper[3] & active);
    faces += bitCount(lower[0] & lower[1] & upper[0] & upper[1] & active);
    faces += bitCount(lower[2] & lower[3] & upper[2] & upper[3] & active);
    return corners - 2 * faces - 4 * bitCount(opposite & active);
}

/// Returns the inclusive prefix sum over the eight lanes of a group.
__device__ unsigned groupSumUpTo(unsigned value, unsigned z) {
#pragma unroll
    for (unsigned lanes = 1; lanes < kBrickEdge; lanes *= 2) {
        const unsigned left = __shfl_up_sync(kAllLanes, value, lanes, kBrickEdge);
        value += z >= lanes ? left : 0;
    }
    return value;
}

/// Returns a byte whose bit y is bit 8 y of the word.
__device__ unsigned columnOf(Word word) {
    return static_cast<unsigned>((word & bits::kFirstColumn) * 0x0102040810204080u >> 56);
}

/// Returns the rows of slice z that need samples of adjacent bricks: central differences at both ends of
/// crossed edges use the next node. Must be called by all lanes.
__device__ SideRows sideRows(const SliceEdges& edges, unsigned z) {
    const Word below = shuffled(edges.along[2], (z + 7) % kBrickEdge);
    // nodes at an end of a crossed edge; upper ends along x are never at x = 0
    const Word touched =
        edges.along[0] | edges.along[1] | edges.along[2] | edges.along[1] << 8 | (z == 0 ? 0 : below);
    const unsigned high = columnOf((touched | edges.along[0] << 1) >> 7);
    const unsigned before = __shfl_up_sync(kAllLanes, high, 1, kBrickEdge),
                   after = __shfl_down_sync(kAllLanes, high, 1, kBrickEdge);
    return {static_cast<std::uint8_t>(columnOf(touched)),
            static_cast<std::uint8_t>(high | high << 1 | high >> 1 | (z == 0 ? 0 : before) |
                                      (z == kBrickEdge - 1 ? 0 : after))};
}

/// Counts the vertices and triangles of a brick with eight lanes, one per slice. Must be called by all lanes
/// of the warp. @param here false if the lanes have no brick
__device__ void countBrick(const SurfaceWork& work, std::uint32_t brick, Vec3i place, bool here) {
    const unsigned lane = threadIdx.x % 32, z = lane % kBrickEdge;
    const auto* inside = reinterpret_cast<const Word*>(work.inside);
    const auto insideOf = [&](std::uint32_t of, unsigned slice) {
        return of == kNoBrick ? 0 : inside[std::size_t{of} * kBrickEdge + slice];
    };
    // lane i handles the brick at (i & 1, i >> 1 & 1, i >> 2)
    const std::uint32_t mine =
        here ? work.bricks.neighbour(brick, place, static_cast<int>(z & 1), static_cast<int>(z >> 1 & 1),
                                     static_cast<int>(z >> 2))
             : kNoBrick;
    const auto inGroup = [&](bool mineIs) {
        return __ballot_sync(kAllLanes, mineIs) >> (lane & ~7u) & 0xffu;
    };
    const unsigned missing = inGroup(here && mine == kNoBrick);
    const bool unknown = inGroup(here && mine != kNoBrick && (work.signs[mine] & kSomeUnknown) != 0) != 0;
    const auto other = [&](unsigned slot) {
        return __shfl_sync(kAllLanes, mine, static_cast<int>(slot), kBrickEdge);
    };
    const std::uint32_t atX = other(1), atY = other(2), atXy = other(3), above = other(4 + z % 4);
    const CornerBits lower = cornersAbove(insideOf(here ? brick : kNoBrick, z), insideOf(atX, z),
                                          insideOf(atY, z), insideOf(atXy, z));
    const Word top = insideOf(above, 0); // bottom slices of the four bricks above, one per lane
    const CornerBits last =
        cornersAbove(shuffled(top, 0), shuffled(top, 1), shuffled(top, 2), shuffled(top, 3));
    CornerBits upper;
#pragma unroll
    for (unsigned i = 0; i < 4; ++i) {
        const Word next = shuffled(lower[i], (z + 1) % kBrickEdge);
        upper[i] = z == kBrickEdge - 1 ? last[i] : next;
    }
    Word enabled = here ? work.cellMask[std::size_t{brick} * kBrickEdge + z] : 0;
    // whether an adjacent brick along x, y or z is missing
    const bool endsX = (missing & 0xaau) != 0, endsY = (missing & 0xccu) != 0,
               endsZ = (missing & 0xf0u) != 0 && z == kBrickEdge - 1;
    const Word ends = (endsX ? bits::kLastColumn : 0) | (endsY ? bits::kLastRow : 0) | (endsZ ? ~Word{0} : 0);
    if ((unknown && enabled != 0) || (enabled & ends) != 0)
        enabled &= cellsWithSamples(work, brick, place, static_cast<int>(z));
    const Word active = (any(lower) | any(upper)) & ~(all(lower) & all(upper)) & enabled;
    SliceEdges edges{{lower[0] ^ lower[1], lower[0] ^ lower[2], lower[0] ^ upper[0]}};
    // an edge to a missing node belongs to no cell
    edges.along[0] &= (missing & 2u) != 0 ? ~bits::kLastColumn : ~Word{0};
    edges.along[1] &= (missing & 4u) != 0 ? ~bits::kLastRow : ~Word{0};
    edges.along[2] &= (missing & 16u) != 0 && z == kBrickEdge - 1 ? 0 : ~Word{0};
    const Word previous = shuffled(enabled, (z + 7) % kBrickEdge);
    const auto disabled = [&](const SliceEdges& has) {
        return (edges.along[0] & ~has.along[0]) | (edges.along[1] & ~has.along[1]) |
               (edges.along[2] & ~has.along[2]);
    };
    if (here && disabled({enabled, enabled, enabled}) != 0 &&
        disabled(incidentEdges(cornersBelow(enabled, 0, 0, 0),
                               cornersBelow(z == 0 ? 0 : previous, 0, 0, 0))) != 0) {
        const SliceEdges has = edgesOfCells(work, brick, place, enabled, static_cast<int>(z));
        for (int axis = 0; axis < 3; ++axis)
            edges.along[axis] &= has.along[axis];
    }

    // three prefix sums over the slices, each at most 512, packed into one word
    const unsigned x = bitCount(edges.along[0]), y = bitCount(edges.along[1]), w = bitCount(edges.along[2]);
    const unsigned upTo = groupSumUpTo(x | y << 10 | w << 20, z);
    const unsigned sums = __shfl_sync(kAllLanes, upTo, kBrickEdge - 1, kBrickEdge);
    // sums along each axis of edges
    const unsigned xs = sums & 1023u, ys = sums >> 10 & 1023u, zs = sums >> 20;
    const unsigned made =
        __shfl_sync(kAllLanes, groupSumUpTo(countTriangles(lower, upper, active) | bitCount(active) << 16, z),
                    kBrickEdge - 1, kBrickEdge);
    if (here && z == 0)
        work.counts[brick] = {static_cast<std::uint16_t>(xs + ys + zs),
                              static_cast<std::uint16_t>(made & 0xffffu),
                              static_cast<std::uint16_t>(made >> 16), 0};
    const SideRows sides = sideRows(edges, z);
    if (!here || (sums | made) == 0) // a brick may have triangles but no vertices, if other bricks own all of
                                     // them
        return;
    work.active[std::size_t{brick} * kBrickEdge + z] = active;
    work.sides[std::size_t{brick} * kBrickEdge + z] = sides;
    const unsigned before[3] = {(upTo & 1023u) - x, xs + (upTo >> 10 & 1023u) - y,
                                xs + ys + (upTo >> 20) - w};
#pragma unroll
    for (unsigned axis = 0; axis < 3; ++axis) {
        const auto low = static_cast<std::uint32_t>(edges.along[axis]),
                   high = static_cast<std::uint32_t>(edges.along[axis] >> 32);
        auto* to = reinterpret_cast<uint4*>(work.edges + std::size_t{brick} * kHalfSlices);
        to[axis * kBrickEdge + z] =
            uint4{low, before[axis], high, before[axis] + static_cast<unsigned>(__popc(low))};
    }
}

/// number of threads per block, and maximum number of bricks per block
constexpr unsigned kCountBlock = 128, kMaxCountTile = 64;

/// Finds the bricks that may contain surface, from the signs of the nodes in them and of the seven bricks
/// above, and counts their vertices and triangles. @param tile number of bricks per block
__global__ void __launch_bounds__(kCountBlock, 8)
    countBricks(const __grid_constant__ SurfaceWork work, unsigned tile) {
    struct Crossed {
        std::uint32_t brick;
        int x, y, z; // coordinates of the brick
    };
    __shared__ Crossed crossed[kMaxCountTile];
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    triggerDependentLaunch();
    syncGridDependency();
    if (threadIdx.x == 0 && blockIdx.x * std::size_t{kScanTile} < work.bricks.count)
        work.tiles.states[blockIdx.x] = 0;
    for (unsigned i = threadIdx.x; i < tile; i += kCountBlock) {
        const std::size_t brick = blockIdx.x * std::size_t{tile} + i;
        if (brick >= work.bricks.count)
            break;
        const auto mine = static_cast<std::uint32_t>(brick);
        const Vec3i place = work.bricks.place(mine);
        unsigned signs = 0;
#pragma unroll
        for (int slot = 0; slot < 8; ++slot) {
            const std::uint32_t other =
                work.bricks.neighbour(mine, place, slot & 1, slot >> 1 & 1, slot >> 2);
            signs |= other == kNoBrick ? 0u : work.signs[other];
        }
        if ((signs & kSomeInside) != 0 && (signs & kSomeOutside) != 0)
            // in arbitrary order, since each brick writes its own results
            crossed[atomicAdd(&count, 1)] = {mine, place.x, place.y, place.z};
        else
            work.counts[brick] = {};
    }
    __syncthreads();
    for (unsigned first = threadIdx.x / 32 * 4; first < count; first += kCountBlock / kBrickEdge) {
        const unsigned at = first + threadIdx.x % 32 / kBrickEdge;
        const bool here = at < count;
        const Crossed& mine = crossed[here ? at : first];
        countBrick(work, mine.brick, {mine.x, mine.y, mine.z}, here);
    }
}

} // namespace

void queueClassify(const SurfaceWork& work, StreamView stream) {
    launch("findSigns", std::size_t{work.bricks.count} * 32, stream, findSigns, work);
    // small tiles for small fields, so that all multiprocessors are busy
    const std::size_t share = work.bricks.count / 1024;
    const auto tile = static_cast<unsigned>(std::clamp<std::size_t>(share / 16 * 16, 16, kMaxCountTile));
    launchProgrammatic("countBricks", (std::size_t{work.bricks.count} + tile - 1) / tile, kCountBlock, 0,
                       stream, countBricks, work, tile);
}

} // namespace scanloupe::cuda
