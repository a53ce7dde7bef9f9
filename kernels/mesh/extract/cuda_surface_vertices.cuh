#pragma once
// Generates the vertices of one brick with one warp: loads the samples in and around the brick into shared
// memory, then uses one lane per vertex.
#include "kernels/mesh/extract/cuda_surface.cuh"
#include "kernels/mesh/extract/surface_element.h"

#include <cuda_pipeline.h>
#include <type_traits>

namespace scanloupe::cuda {

/// Layout of the samples at nodes -1 to 9 along each axis, as needed by central differences. A row has 12
/// floats. x = 0 is the fifth float, so that the brick's own rows are 16-byte aligned. x = 8 and 9 use the
/// first two floats of the next row, which that row itself does not use.
inline constexpr int kSampleRow = 12, kSampleLayer = (kBrickEdge + 3) * kSampleRow;
__host__ __device__ constexpr int sampleAt(int x, int y, int z) {
    return (z + 1) * kSampleLayer + (y + 1) * kSampleRow + x + 4;
}

struct VertexSpace {
    alignas(16) float samples[(kBrickEdge + 3) * kSampleLayer + 4];
    HalfSlice halves[kHalfSlices];
    const float* around[28]; ///< samples of the 27 neighbours; NaN samples for missing neighbours
    float out[2 * 96];       ///< 32 positions and normals, staged for coalesced writes
};

/// Starts asynchronous copies of the brick's samples, and of the samples around the brick that its vertices
/// may need. Most of the time is spent on loop counters and addresses, so offsets advance in steps that are
/// equal for all lanes. Must be called by all lanes.
__device__ inline void loadSamples(const SurfaceWork& work, std::uint32_t brick, VertexSpace& space) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    constexpr int row = kBrickEdge, layer = kBrickEdge * kBrickEdge, last = kBrickEdge - 1;
    const auto fetch = [](float* to, const float* from, auto floats) {
        __pipeline_memcpy_async(to, from, decltype(floats)::value * sizeof(float));
    };
    constexpr std::integral_constant<int, 1> one;
    constexpr std::integral_constant<int, 2> two;
    constexpr std::integral_constant<int, 4> four;
    const int half = lane % 2 * 4, i = lane / 2 % kBrickEdge; // lanes copy halves of rows, 16 bytes each
    const float* own = space.around[13] + 4 * lane;
    float* const ownTo = space.samples + sampleAt(half, i, lane / 16);
#pragma unroll
    for (int pass = 0; pass < 4; ++pass)
        fetch(ownTo + pass * 2 * kSampleLayer, own + pass * 2 * layer, four);
    { // samples at -1, 8 and 9: on y with the first half of the lanes, on z with the second half
        const bool onY = lane < 16;
        const int step = onY ? row : layer, stepTo = onY ? kSampleRow : kSampleLayer;
        const int at = half + i * (onY ? layer : row);
        float* const to = space.samples + (onY ? sampleAt(half, -1, i) : sampleAt(half, i, -1));
        const float* above = space.around[onY ? neighbourSlot(0, 1, 0) : neighbourSlot(0, 0, 1)] + at;
        fetch(to, space.around[onY ? neighbourSlot(0, -1, 0) : neighbourSlot(0, 0, -1)] + at + last * step,
              four);
        fetch(to + 9 * stepTo, above, four);
        fetch(to + 10 * stepTo, above + step, four);
    }
    // at x = -1, 8 and 9, each row reads 32 bytes of the adjacent brick, so only the required rows are read
    const auto* sides = work.sides + std::size_t{brick} * kBrickEdge;
    const int k = lane % kBrickEdge, part = lane / kBrickEdge;
    {
        const float* low = space.around[neighbourSlot(-1, 0, 0)] + lane * row + last;
        const float* high = space.around[neighbourSlot(1, 0, 0)] + lane * row;
        float* const to = space.samples + sampleAt(0, k, part);
#pragma unroll
        for (int pass = 0; pass < 2; ++pass) {
            const SideRows rows = sides[part + 4 * pass];
            if ((rows.low >> k & 1) != 0)
                fetch(to + pass * 4 * kSampleLayer - 1, low + pass * 4 * layer, one);
            if ((rows.high >> k & 1) != 0)
                fetch(to + pass * 4 * kSampleLayer + 8, high + pass * 4 * layer, two);
        }
    }
    // samples at (8, -1, k), (8, k, -1), (8, 8, k), (8, k, 8): neighbours of the upper ends of edges that
    // leave the brick
    {
        const bool alongZ = part % 2 == 0, below = part < 2;
        const int mine = below ? 0 : last; // coordinate in the adjacent brick on the remaining axis
        const SideRows rows = sides[alongZ ? k : mine];
        const int bit = alongZ ? mine : k;
        constexpr unsigned slots = neighbourSlot(1, -1, 0) | neighbourSlot(1, 0, -1) << 8 |
                                   neighbourSlot(1, 1, 0) << 16 | neighbourSlot(1, 0, 1) << 24;
        const float* const* around = space.around + (slots >> 8 * part & 0xffu);
        const int from = (alongZ ? k * layer : k * row) + (below ? last * (alongZ ? row : layer) : 0);
        float* const to =
            space.samples + (alongZ ? sampleAt(8, below ? -1 : 8, k) : sampleAt(8, k, below ? -1 : 8));
        if ((rows.high >> bit & 1) != 0)
            fetch(to, *around + from, one);
        if (!below && (rows.low >> bit & 1) != 0) // samples at (-1, 8, k) and (-1, k, 8)
            fetch(to - 9, around[-2] + from + last, one);
    }
    if (lane < 6) { // samples at (x, 8, -1), (x, 8, 8) and (x, -1, 8)
        const bool belowY = lane >= 4, belowZ = lane < 2;
        const std::size_t slot = belowY   ? neighbourSlot(0, -1, 1)
                                 : belowZ ? neighbourSlot(0, 1, -1)
                                          : neighbourSlot(0, 1, 1);
        fetch(space.samples + sampleAt(half, belowY ? -1 : 8, belowZ ? -1 : 8),
              space.around[slot] + half + (belowY ? last * row : 0) + (belowZ ? last * layer : 0), four);
    }
    __pipeline_commit();
}

/// An edge of a brick: its axis and its lower node.
struct BrickEdge {
    int axis;
    Vec3i node;
};

/// Returns the edge that has the brick's vertex number `rank`.
__device__ inline BrickEdge edgeOfRank(const HalfSlice* halves, std::uint32_t rank) {
    // binary search for the last half slice that has at most `rank` vertices before it
    unsigned half = halves[32].before <= rank ? 32 : halves[16].before <= rank ? 16 : 0;
#pragma unroll
    for (unsigned step = 8; step > 0; step /= 2)
        half += halves[half + step].before <= rank ? step : 0;
    std::uint32_t word = halves[half].bits, left = rank - halves[half].before;
    unsigned bit = 0; // index of the set bit that has `left` set bits below it
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
        const auto count = static_cast<unsigned>(__popc(word & ((1u << width) - 1)));
        const bool above = left >= count;
        left -= above ? count : 0;
        bit += above ? width : 0;
        word = above ? word >> width : word;
    }
    return {static_cast<int>(half / 16),
            {static_cast<int>(bit % 8), static_cast<int>(half % 2 * 4 + bit / 8),
             static_cast<int>(half / 2 % 8)}};
}

/// Marks the bricks of the cells around an edge: since its vertex is close to a node, it may belong to a
/// triangle without area.
__device__ __noinline__ void markZeroAreaCandidates(const SurfaceWork& work, const BrickEntry& entry,
                                                    const BrickEdge& edge) {
    const auto down = [&](int axis) { return edge.axis != axis && edge.node[axis] == 0 ? -1 : 0; };
    for (int dz = down(2); dz <= 0; ++dz)
        for (int dy = down(1); dy <= 0; ++dy)
            for (int dx = down(0); dx <= 0; ++dx) {
                const std::uint32_t brick = work.bricks.neighbour(entry.brick, entry.place, dx, dy, dz);
                if (brick == kNoBrick)
                    continue;
                const std::uint32_t bit = 1u << brick % 4 * 8;
                if ((atomicOr(work.isZeroAreaCandidate + brick / 4, bit) & bit) == 0)
                    work.zeroAreaCandidates[atomicAdd(&work.totals->zeroAreaCandidates, LongWord{1})] = brick;
            }
}

/// Copies `count` values, at most 96, from a warp's shared memory with coalesced writes.
template <class T>
__device__ void writeInOrder(T* to, const T* from, unsigned count) {
    const unsigned lane = threadIdx.x % 32;
    to += lane;
    from += lane;
    if (count >= 96) { // the usual case
#pragma unroll
        for (unsigned i = 0; i < 96; i += 32)
            to[i] = from[i];
        return;
    }
#pragma unroll
    for (unsigned i = 0; i < 96; i += 32)
        if (i + lane < count)
            to[i] = from[i];
}

/// Generates all vertices that a brick owns. Must be called by all lanes of the warp.
__device__ inline void makeVertices(const SurfaceWork& work, const BrickEntry& entry, float iso,
                                    VertexSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    __syncwarp(); // wait until the data of the previous brick have been read
    const HalfSlice* halves = work.edges + std::size_t{entry.brick} * kHalfSlices + lane;
    space.halves[lane] = halves[0];
    if (lane < kHalfSlices - 32)
        space.halves[lane + 32] = halves[32];
    if (lane < kNeighbours) {
        const int slot = static_cast<int>(lane);
        const std::uint32_t brick =
            work.bricks.neighbour(entry.brick, entry.place, slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1);
        space.around[lane] =
            brick == kNoBrick ? work.noSamples : work.values + std::size_t{brick} * kBrickNodes;
    }
    __syncwarp();
    loadSamples(work, entry.brick, space);
    const HalfSlice lastHalf = space.halves[kHalfSlices - 1];
    const unsigned count = lastHalf.before + static_cast<unsigned>(__popc(lastHalf.bits));
    const float outward = work.insideBelow ? 1.0f : -1.0f;
    const Vec3i corner = entry.place * kBrickEdge;
    float* positions = work.positions + 3 * std::size_t{entry.firstVertex};
    float* normals = work.normals + 3 * std::size_t{entry.firstVertex};
    float* const out = space.out + 3 * lane;
    __pipeline_wait_prior(0);
    __syncwarp();
    for (unsigned first = 0; first < count; first += 32, positions += 96, normals += 96) {
        BrickEdge edge{};
        bool isCandidate = false;
        if (first + lane < count) {
            edge = edgeOfRank(space.halves, first + lane);
            const float* lower = space.samples + sampleAt(edge.node.x, edge.node.y, edge.node.z);
            const float* upper = lower + (edge.axis == 0 ? 1 : edge.axis == 1 ? kSampleRow : kSampleLayer);
            const float t = crossing(*lower, *upper, iso);
            isCandidate = !(t >= work.zeroAreaReach && t <= 1.0f - work.zeroAreaReach);
            const Vec3f point = surfacePoint(corner + edge.node, edge.axis, t, work.lattice);
            out[0] = point.x, out[1] = point.y, out[2] = point.z;
            const Vec3f normal = surfaceNormal(gradientAt(lower, kSampleRow, kSampleLayer, work.slopes),
                                               gradientAt(upper, kSampleRow, kSampleLayer, work.slopes), t,
                                               outward, edge.axis, isInside(*lower, iso, work.insideBelow));
            out[96] = normal.x, out[97] = normal.y, out[98] = normal.z;
        }
        if (__any_sync(kAllLanes, isCandidate) && isCandidate) // rarely true
            markZeroAreaCandidates(work, entry, edge);
        __syncwarp();
        writeInOrder(positions, space.out, 3 * (count - first));
        writeInOrder(normals, space.out + 96, 3 * (count - first));
        __syncwarp();
    }
}

} // namespace scanloupe::cuda
