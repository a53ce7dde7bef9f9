#pragma once
// The vertices of one brick, by one warp: samples around it in shared memory, a lane a vertex.
#include "kernels/mesh/cuda_surface.cuh"
#include "kernels/mesh/surface_cell.h"

#include <cuda_pipeline.h>
#include <limits>

namespace scanloupe::cuda {

/// Rows of nodes -1 to 9 on each axis, what central differences reach. A row takes 12 floats: x = 0 is the
/// fifth, so that the brick's own rows are 16-byte aligned; x = 8 and 9 take the first two of the next row,
/// which no node of it needs.
inline constexpr int kSampleRow = 12, kSampleLayer = (kBrickEdge + 3) * kSampleRow;
__host__ __device__ constexpr int sampleAt(int x, int y, int z) {
    return (z + 1) * kSampleLayer + (y + 1) * kSampleRow + x + 4;
}

struct VertexSpace {
    alignas(16) float samples[(kBrickEdge + 3) * kSampleLayer + 4];
    HalfSlice halves[kHalfSlices];
    std::uint32_t around[28]; ///< the 27 neighbours
    float out[2 * 96];        ///< 32 positions and normals, to be written in one go
};

/// Brings Floats samples to shared memory, without waiting; NaN where there is no brick.
template <int Floats>
__device__ void fetch(float* to, const float* values, std::uint32_t brick, int node) {
    if (brick != kNoBrick) {
        __pipeline_memcpy_async(to, values + std::size_t{brick} * kBrickNodes + node, Floats * sizeof(float));
        return;
    }
#pragma unroll
    for (int i = 0; i < Floats; ++i)
        to[i] = std::numeric_limits<float>::quiet_NaN();
}

/// Loads the brick's samples and those around it that its vertices may need. All lanes have to call it.
__device__ inline void loadSamples(const SurfaceWork& work, std::uint32_t brick, VertexSpace& space) {
    const int lane = static_cast<int>(threadIdx.x % 32);
    constexpr int last = kBrickEdge - 1;
    float* const to = space.samples;
    const auto from = [&](int dx, int dy, int dz) { return space.around[neighbourSlot(dx, dy, dz)]; };
    const auto node = [](int x, int y, int z) { return (z * kBrickEdge + y) * kBrickEdge + x; };
    const int half = lane % 2 * 4, i = lane / 2 % kBrickEdge; // halves of rows, 16 bytes each
    const float* own = work.values + std::size_t{brick} * kBrickNodes + 4 * lane;
    float* const ownTo = to + sampleAt(half, i, lane / 16);
#pragma unroll
    for (int pass = 0; pass < 4; ++pass)
        __pipeline_memcpy_async(ownTo + pass * 2 * kSampleLayer, own + pass * 128, 16);
    const bool onY = lane < 16; // at -1, 8 and 9 on y, and on z
#pragma unroll
    for (int outer : {-1, 8, 9}) {
        const int side = outer < 0 ? -1 : 1, inner = outer & last;
        fetch<4>(to + (onY ? sampleAt(half, outer, i) : sampleAt(half, i, outer)), work.values,
                 onY ? from(0, side, 0) : from(0, 0, side),
                 onY ? node(half, inner, i) : node(half, i, inner));
    }
    // at -1, 8 and 9 on x a row takes 32 bytes of the brick beside: only those that are needed
    const auto* sides = work.sides + std::size_t{brick} * kBrickEdge;
    const int y = lane % kBrickEdge;
#pragma unroll
    for (int z = lane / kBrickEdge; z < kBrickEdge; z += 4) {
        const SideRows rows = sides[z];
        if ((rows.low >> y & 1) != 0)
            fetch<1>(to + sampleAt(-1, y, z), work.values, from(-1, 0, 0), node(last, y, z));
        if ((rows.high >> y & 1) != 0)
            fetch<2>(to + sampleAt(8, y, z), work.values, from(1, 0, 0), node(0, y, z));
    }
    // where two axes are outside: beside the upper ends of edges that lead out of the brick
    const int k = lane % kBrickEdge, part = lane / kBrickEdge;
    const bool alongZ = part % 2 == 0;
    const auto beside = [&](int x, int outer) { // (x, outer, k) or (x, k, outer)
        const int side = outer < 0 ? -1 : 1, inner = outer & last, mine = last - inner, dx = x < 0 ? -1 : 1;
        const SideRows rows = sides[alongZ ? k : mine];
        if (((x < 0 ? rows.low : rows.high) >> (alongZ ? mine : k) & 1) != 0)
            fetch<1>(to + (alongZ ? sampleAt(x, outer, k) : sampleAt(x, k, outer)), work.values,
                     alongZ ? from(dx, side, 0) : from(dx, 0, side),
                     alongZ ? node(x & last, inner, k) : node(x & last, k, inner));
    };
    beside(8, part < 2 ? -1 : 8);
    if (part < 2) {
        beside(-1, 8);
    } else if (part == 2 && k < 6) { // (x, 8, -1), (x, 8, 8), (x, -1, 8)
        const int dy = k < 4 ? 1 : -1, dz = k < 2 ? -1 : 1;
        fetch<4>(to + sampleAt(half, dy < 0 ? -1 : 8, dz < 0 ? -1 : 8), work.values, from(0, dy, dz),
                 node(half, dy < 0 ? last : 0, dz < 0 ? last : 0));
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncwarp();
}

/// An edge of a brick: its axis and its lower node.
struct BrickEdge {
    int axis;
    Vec3i node;
};

/// The edge of vertex `rank` of the brick.
__device__ inline BrickEdge edgeOfRank(const HalfSlice* halves, std::uint32_t rank) {
    // the last half slice with no more vertices before it
    unsigned half = halves[32].before <= rank ? 32 : halves[16].before <= rank ? 16 : 0;
#pragma unroll
    for (unsigned step = 8; step > 0; step /= 2)
        half += halves[half + step].before <= rank ? step : 0;
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
    return {static_cast<int>(half / 16),
            {static_cast<int>(bit % 8), static_cast<int>(half % 2 * 4 + bit / 8),
             static_cast<int>(half / 2 % 8)}};
}

/// A vertex this near to a node may be of a triangle without area, in this brick or in one below.
__device__ __noinline__ void markSuspects(std::uint8_t* suspects, const std::uint32_t* around, int axis,
                                          int x, int y, int z) {
    for (int dz = axis != 2 && z == 0 ? -1 : 0; dz <= 0; ++dz)
        for (int dy = axis != 1 && y == 0 ? -1 : 0; dy <= 0; ++dy)
            for (int dx = axis != 0 && x == 0 ? -1 : 0; dx <= 0; ++dx)
                if (const std::uint32_t brick = around[neighbourSlot(dx, dy, dz)]; brick != kNoBrick)
                    suspects[brick] = 1; // others may write the same
}

/// Writes `count` values, at most 96, that lie in a warp's shared memory.
template <class T>
__device__ void writeInOrder(T* to, const T* from, unsigned count) {
    const unsigned lane = threadIdx.x % 32;
    to += lane;
    from += lane;
    if (count >= 96) { // mostly
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

/// All vertices that a brick owns. All lanes of the warp have to call it.
__device__ inline void makeVertices(const SurfaceWork& work, const BrickEntry& entry, float iso,
                                    VertexSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    __syncwarp(); // what the brick before has left is read
    const HalfSlice* halves = work.edges + std::size_t{entry.brick} * kHalfSlices;
    space.halves[lane] = halves[lane];
    if (lane < kHalfSlices - 32)
        space.halves[lane + 32] = halves[lane + 32];
    if (lane < kNeighbours) {
        const int slot = static_cast<int>(lane);
        space.around[lane] =
            work.bricks.neighbour(entry.brick, entry.place, slot % 3 - 1, slot / 3 % 3 - 1, slot / 9 - 1);
    }
    __syncwarp();
    const HalfSlice lastHalf = space.halves[kHalfSlices - 1];
    const unsigned count = lastHalf.before + static_cast<unsigned>(__popc(lastHalf.bits));
    if (count == 0)
        return;
    loadSamples(work, entry.brick, space);

    const SlopeScale scale(work.lattice.spacing);
    const float outward = work.insideBelow ? 1.0f : -1.0f;
    const Vec3i corner = entry.place * kBrickEdge;
    float* positions = work.positions + 3 * std::size_t{entry.firstVertex};
    float* normals = work.normals + 3 * std::size_t{entry.firstVertex};
    float* const out = space.out + 3 * lane;
    for (unsigned first = 0; first < count; first += 32, positions += 96, normals += 96) {
        if (first + lane < count) {
            const BrickEdge edge = edgeOfRank(space.halves, first + lane);
            const float* lower = space.samples + sampleAt(edge.node.x, edge.node.y, edge.node.z);
            const float* upper = lower + (edge.axis == 0 ? 1 : edge.axis == 1 ? kSampleRow : kSampleLayer);
            const float t = crossing(*lower, *upper, iso);
            if (!(t >= work.zeroAreaReach && t <= 1.0f - work.zeroAreaReach))
                markSuspects(work.suspects, space.around, edge.axis, edge.node.x, edge.node.y, edge.node.z);
            const Vec3f point = surfacePoint(corner + edge.node, edge.axis, t, work.lattice);
            out[0] = point.x, out[1] = point.y, out[2] = point.z;
            const Vec3f normal = surfaceNormal(gradientAt(lower, kSampleRow, kSampleLayer, scale),
                                               gradientAt(upper, kSampleRow, kSampleLayer, scale), t, outward,
                                               edge.axis, isInside(*lower, iso, work.insideBelow));
            out[96] = normal.x, out[97] = normal.y, out[98] = normal.z;
        }
        __syncwarp();
        writeInOrder(positions, space.out, 3 * (count - first));
        writeInOrder(normals, space.out + 96, 3 * (count - first));
        __syncwarp();
    }
}

} // namespace scanloupe::cuda
