#pragma once
// The vertices of one brick, by one warp: samples around it in shared memory, a lane a vertex.
#include "kernels/field/brick_bits.h"
#include "kernels/mesh/cuda_surface.cuh"
#include "kernels/mesh/surface_cell.h"

#include <cuda_pipeline.h>
#include <limits>

namespace scanloupe::cuda {

/// Nodes -1 to 9 on each axis, what central differences reach. Rows of 12 floats: x = 0 is the fifth, so that
/// the brick's own rows are 16-byte aligned; x = 8 and 9 take the first two of the next row, which no x has.
struct VertexSpace {
    static constexpr int kSide = kBrickEdge + 3, kRow = 12, kLayer = kSide * kRow;
    static constexpr int node(int x, int y, int z) { return (z + 1) * kLayer + (y + 1) * kRow + x + 4; }

    alignas(16) float values[kSide * kLayer + 4];
    HalfSlice halves[kHalfSlices];
    std::uint32_t around[28];      ///< the 27 neighbours
    float points[96], normals[96]; ///< of 32 vertices, to be written in one go
};

/// Which of a brick's rows of samples its vertices need. Lane z knows slice z; bits of rows: y.
struct NeededRows {
    unsigned touched;  ///< rows with a node whose gradient is needed
    unsigned near;     ///< the same, and the rows beside
    unsigned low;      ///< rows where that is so of x = 0
    unsigned nearHigh; ///< rows where it is so of x = 7, and the rows beside
};

/// Bit y of the result is bit 8 y of the word.
__device__ inline unsigned columnOf(Word word) {
    return static_cast<unsigned>((word & bits::kFirstColumn) * 0x0102040810204080u >> 56);
}

__device__ inline NeededRows neededRows(const HalfSlice* halves, unsigned z) {
    const auto along = [&](unsigned axis, unsigned slice) {
        const HalfSlice* half = halves + axis * 16 + slice * 2;
        return Word{half[0].bits} | Word{half[1].bits} << 32;
    };
    const Word x = along(0, z), y = along(1, z);
    // the edges' lower nodes and, within the brick, the upper ones
    Word touched = x | y | along(2, z) | (x << 1 & ~bits::kFirstColumn) | y << 8;
    if (z > 0)
        touched |= along(2, z - 1);
    Word folded = touched | touched >> 4;
    folded |= folded >> 2;
    const unsigned rows = columnOf(folded | folded >> 1), high = columnOf(touched >> 7);
    const auto beside = [&](unsigned mine) { // rows of this slice and of the two beside it
        unsigned below = __shfl_up_sync(kAllLanes, mine, 1, kBrickEdge);
        unsigned above = __shfl_down_sync(kAllLanes, mine, 1, kBrickEdge);
        below = z == 0 ? 0 : below;
        above = z == kBrickEdge - 1 ? 0 : above;
        return mine | mine << 1 | mine >> 1 | below | above;
    };
    return {rows, beside(rows), columnOf(touched), beside(high)};
}

/// Brings Floats samples to shared memory, without waiting; NaN where there is no brick.
template <int Floats>
__device__ void fetch(float* to, const float* from) {
    if (from) {
        __pipeline_memcpy_async(to, from, Floats * sizeof(float));
        return;
    }
#pragma unroll
    for (int i = 0; i < Floats; ++i)
        to[i] = std::numeric_limits<float>::quiet_NaN();
}

/// Loads what the brick's vertices need. All lanes have to call it.
__device__ inline void loadSamples(VertexSpace& space, const float* values) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    constexpr int last = kBrickEdge - 1;
    const NeededRows needed = neededRows(space.halves, static_cast<unsigned>(lane % kBrickEdge));
    const auto wanted = [](unsigned rows, int z, int y) {
        return (__shfl_sync(kAllLanes, rows, z, kBrickEdge) >> y & 1u) != 0;
    };
    const auto nodes = [&](int dx, int dy, int dz, int x, int y, int z) -> const float* {
        const std::uint32_t brick = space.around[neighbourSlot(dx, dy, dz)];
        return brick == kNoBrick
                   ? nullptr
                   : values + std::size_t{brick} * kBrickNodes + (z * kBrickEdge + y) * kBrickEdge + x;
    };
    float* const to = space.values;
    const int half = lane % 2 * 4; // halves of rows, 16 bytes each
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int y = lane / 2 % kBrickEdge, z = 2 * i + lane / 16;
        if (wanted(needed.near, z, y))
            fetch<4>(to + VertexSpace::node(half, y, z), nodes(0, 0, 0, half, y, z));
    }
    { // y = -1, z = -1
        const int i = lane / 2 % kBrickEdge;
        const bool below = lane < 16;
        if (wanted(needed.touched, below ? i : 0, below ? 0 : i)) {
            if (below)
                fetch<4>(to + VertexSpace::node(half, -1, i), nodes(0, -1, 0, half, last, i));
            else
                fetch<4>(to + VertexSpace::node(half, i, -1), nodes(0, 0, -1, half, i, last));
        }
    }
    { // y = 8 and 9, z = 8 and 9
        const int k = lane / 2 % 2, i = lane / 4;
        if (wanted(needed.near, i, last))
            fetch<4>(to + VertexSpace::node(half, 8 + k, i), nodes(0, 1, 0, half, k, i));
        if (wanted(needed.near, last, i))
            fetch<4>(to + VertexSpace::node(half, i, 8 + k), nodes(0, 0, 1, half, i, k));
    }
#pragma unroll
    for (int i = 0; i < 2; ++i) { // x = -1, x = 8 and 9
        const int y = lane % kBrickEdge, z = 4 * i + lane / kBrickEdge;
        if (wanted(needed.low, z, y))
            fetch<1>(to + VertexSpace::node(-1, y, z), nodes(-1, 0, 0, last, y, z));
        if (wanted(needed.nearHigh, z, y))
            fetch<2>(to + VertexSpace::node(8, y, z), nodes(1, 0, 0, 0, y, z));
    }
    // where two axes are outside: beside the upper nodes of edges that lead out of the brick
    const int i = lane % kBrickEdge, part = lane / kBrickEdge;
    if (wanted(needed.nearHigh, part < 2 ? i : part == 2 ? 0 : last, part == 0 ? 0 : part == 1 ? last : i)) {
        if (part < 2)
            fetch<1>(to + VertexSpace::node(8, part == 0 ? -1 : 8, i),
                     nodes(1, part == 0 ? -1 : 1, 0, 0, part == 0 ? last : 0, i));
        else
            fetch<1>(to + VertexSpace::node(8, i, part == 2 ? -1 : 8),
                     nodes(1, 0, part == 2 ? -1 : 1, 0, i, part == 2 ? last : 0));
    }
    if (wanted(needed.low, part == 0 ? i : last, part == 0 ? last : i)) {
        if (part == 0)
            fetch<1>(to + VertexSpace::node(-1, 8, i), nodes(-1, 1, 0, last, 0, i));
        else if (part == 1)
            fetch<1>(to + VertexSpace::node(-1, i, 8), nodes(-1, 0, 1, last, i, 0));
    }
    const int row = lane / 2; // (x, 8, -1), (x, 8, 8), (x, -1, 8)
    if (wanted(needed.touched, row == 0 ? 0 : last, row == 2 ? 0 : last)) {
        if (row == 0)
            fetch<4>(to + VertexSpace::node(half, 8, -1), nodes(0, 1, -1, half, 0, last));
        else if (row == 1)
            fetch<4>(to + VertexSpace::node(half, 8, 8), nodes(0, 1, 1, half, 0, 0));
        else if (row == 2)
            fetch<4>(to + VertexSpace::node(half, -1, 8), nodes(0, -1, 1, half, last, 0));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
}

/// An edge of a brick.
struct BrickEdge {
    int axis, x, y, z;
};

/// The edge of vertex `rank` of the brick.
__device__ inline BrickEdge edgeOfRank(const HalfSlice* halves, std::uint32_t rank) {
    unsigned half = 0; // the last one with no more vertices before it
#pragma unroll
    for (unsigned step = 32; step > 0; step /= 2)
        if (half + step < kHalfSlices && halves[half + step].before <= rank)
            half += step;
    std::uint32_t word = halves[half].bits, left = rank - halves[half].before;
    unsigned bit = 0; // of the set bit that has `left` others before it
#pragma unroll
    for (unsigned width = 16; width > 0; width /= 2) {
        const auto count = static_cast<unsigned>(__popc(word & ((1u << width) - 1)));
        const bool above = left >= count;
        left -= above ? count : 0;
        bit += above ? width : 0;
        word = above ? word >> width : word;
    }
    return {static_cast<int>(half / 16), static_cast<int>(bit % 8), static_cast<int>(half % 2 * 4 + bit / 8),
            static_cast<int>(half / 2 % 8)};
}

/// A vertex this near to a node may be of a triangle without area, in this brick or in one below.
__device__ inline void markSuspects(const SurfaceWork& work, const std::uint32_t* around,
                                    const BrickEdge& edge) {
    const int x = edge.axis != 0 && edge.x == 0 ? -1 : 0, y = edge.axis != 1 && edge.y == 0 ? -1 : 0,
              z = edge.axis != 2 && edge.z == 0 ? -1 : 0;
    for (int dz = z; dz <= 0; ++dz)
        for (int dy = y; dy <= 0; ++dy)
            for (int dx = x; dx <= 0; ++dx)
                if (const std::uint32_t brick = around[neighbourSlot(dx, dy, dz)]; brick != kNoBrick)
                    work.suspects[brick] = 1; // others may write the same
}

/// Writes `count` floats that lie in a warp's shared memory.
__device__ inline void writeInOrder(float* to, const float* from, unsigned count) {
#pragma unroll
    for (unsigned i = 0; i < 3; ++i)
        if (const unsigned at = i * 32 + threadIdx.x % 32; at < count)
            to[at] = from[at];
}

/// All vertices that a brick owns. All lanes of the warp have to call it.
__device__ inline void makeVertices(const SurfaceWork& work, const BrickEntry& entry, float iso,
                                    VertexSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    const Vec3i place = work.bricks.place(entry.brick);
    __syncwarp(); // what the brick before has left is read
    for (unsigned i = lane; i < kHalfSlices; i += 32)
        space.halves[i] = work.edges[std::size_t{entry.brick} * kHalfSlices + i];
    if (lane < kNeighbours) {
        const int slot = static_cast<int>(lane);
        space.around[lane] =
            work.bricks.neighbour(entry.brick, place, slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1);
    }
    __syncwarp();
    const HalfSlice lastHalf = space.halves[kHalfSlices - 1];
    const unsigned count = lastHalf.before + static_cast<unsigned>(__popc(lastHalf.bits));
    if (count == 0)
        return;
    loadSamples(space, work.values);

    const SlopeScale scale(work.lattice.spacing);
    const float outward = work.insideBelow ? 1.0f : -1.0f;
    for (unsigned first = 0; first < count; first += 32) {
        if (first + lane < count) {
            const BrickEdge edge = edgeOfRank(space.halves, first + lane);
            const float* lower = space.values + VertexSpace::node(edge.x, edge.y, edge.z);
            const float* upper = lower + (edge.axis == 0   ? 1
                                          : edge.axis == 1 ? VertexSpace::kRow
                                                           : VertexSpace::kLayer);
            const float t = crossing(*lower, *upper, iso);
            if (!(t >= work.zeroAreaReach && t <= 1.0f - work.zeroAreaReach))
                markSuspects(work, space.around, edge);
            const Vec3i node = place * kBrickEdge + Vec3i{edge.x, edge.y, edge.z};
            const Vec3f point = surfacePoint(node, edge.axis, t, work.lattice);
            const float side = isInside(*lower, iso, work.insideBelow) ? 1.0f : -1.0f;
            const Vec3f along{edge.axis == 0 ? side : 0.0f, edge.axis == 1 ? side : 0.0f,
                              edge.axis == 2 ? side : 0.0f};
            const Vec3f normal = surfaceNormal(
                gradientAt(lower, VertexSpace::kRow, VertexSpace::kLayer, scale),
                gradientAt(upper, VertexSpace::kRow, VertexSpace::kLayer, scale), t, outward, along);
            float* points = space.points + 3 * lane;
            points[0] = point.x, points[1] = point.y, points[2] = point.z;
            float* normals = space.normals + 3 * lane;
            normals[0] = normal.x, normals[1] = normal.y, normals[2] = normal.z;
        }
        __syncwarp();
        const std::size_t at = 3 * (std::size_t{entry.firstVertex} + first);
        const unsigned floats = 3 * (count - first < 32 ? count - first : 32);
        writeInOrder(work.positions + at, space.points, floats);
        writeInOrder(work.normals + at, space.normals, floats);
        __syncwarp();
    }
}

} // namespace scanloupe::cuda
