#pragma once
// The triangles of one brick, by one warp: a lane a cell to count them, a lane a triangle to write them. Ids
// of vertices come from the masks of the bricks that own them; no vertex need be there yet.
#include "kernels/mesh/cube_tables.h"
#include "kernels/mesh/cuda_surface_vertices.cuh"

#include <array>

namespace scanloupe::cuda {

/// A node from 0 to 8 on each axis, four bits each, so that what a cell's corner adds carries into the
/// fourth.
constexpr unsigned spreadNode(unsigned x, unsigned y, unsigned z) {
    return x | y << 4 | z << 8;
}

/// A triangle of a case: each corner's edge as its lower node, spread, and its axis from bit 12 on.
struct alignas(8) CaseTriangle {
    std::uint16_t corners[3];
    std::uint16_t count; ///< of the case
};
struct CaseTriangles {
    CaseTriangle of[256 * kMaxCaseTriangles];
};
constexpr CaseTriangles spreadTables() {
    CaseTriangles result{};
    for (std::size_t c = 0; c < 256; ++c)
        for (std::size_t t = 0; t < kMaxCaseTriangles; ++t) {
            CaseTriangle& triangle = result.of[c * kMaxCaseTriangles + t];
            triangle.count = kCubeTables.triangleCount[c];
            for (std::size_t i = 0; i < 3; ++i) {
                const CubeEdge edge = cubeEdge(kCubeTables.edges[c][3 * t + i]);
                const auto corner = static_cast<unsigned>(edge.corner);
                triangle.corners[i] =
                    static_cast<std::uint16_t>(spreadNode(corner & 1, corner >> 1 & 1, corner >> 2) |
                                               static_cast<unsigned>(edge.axis) << 12);
            }
        }
    return result;
}
__device__ const CaseTriangles kCaseTriangles = spreadTables();

/// Where the half slices of edges at nodes 0 to 8 are: [axis, z, x = 8, y = 8, half], 8 each z.
inline constexpr unsigned kEdgeSlices = 3 * 9 * 8;
/// The half slice that the edge from a spread node belongs to.
__device__ inline unsigned edgeSlice(unsigned node) {
    return (node >> 12) * 72 + (node >> 5 & 0x78u) + (node >> 1 & 4u) + (node >> 6 & 3u);
}
__device__ inline unsigned edgeBit(unsigned node) {
    return (node >> 1 & 0x18u) | (node & 7u);
}

/// A half slice that cells of a brick have edges of, and whose it is.
struct SliceSource {
    std::uint8_t to, slot,
        from;            ///< in kEdgeSlices; the brick at (slot & 1, slot >> 1 & 1, slot >> 2); in its
    std::uint8_t unused; ///< half slices
};
inline constexpr unsigned kSliceSources = 111;
struct SliceSources {
    SliceSource of[kSliceSources];
};
constexpr SliceSources sliceSources() {
    SliceSources result{};
    unsigned count = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
        for (unsigned z = 0; z <= 8; ++z)
            for (unsigned x = 0; x < 2; ++x)
                for (unsigned y = 0; y < 2; ++y)
                    for (unsigned half = 0; half < 2; ++half) {
                        if ((axis == 0 && x == 1) || (axis == 1 && y == 1) || (axis == 2 && z == 8))
                            continue; // they lead away from the brick's cells
                        if (y == 1 && half == 1)
                            continue; // of the brick above, only its first row
                        result.of[count++] = {
                            static_cast<std::uint8_t>(axis * 72 + z * 8 + x * 4 + y * 2 + half),
                            static_cast<std::uint8_t>(x | y << 1 | (z >> 3) << 2),
                            static_cast<std::uint8_t>(axis * 16 + z % 8 * 2 + half), 0};
                    }
    return result;
}
__device__ const SliceSources kSources = sliceSources();

struct TriangleSpace {
    HalfSlice edges[kEdgeSlices]; ///< bits, and the id of the first vertex
    std::uint32_t bricks[8], firsts[8];
    std::uint32_t out[96]; ///< ids of 32 triangles, to be written in one go
    std::uint32_t
        triangles[32 * (kMaxCaseTriangles + 1)]; ///< that wait to be written: of 32 cells, and a rest
    Word inside[4][9];                           ///< [x = 8, y = 8 from bit 1][z]
    std::uint16_t rows[9 * 9];                   ///< inside bits of nodes 0 to 8 of each row
    std::uint16_t cells[kBrickNodes];            ///< active ones, spread
};

/// Sums over the lanes up to this one.
__device__ inline unsigned sumOfLanesUpTo(unsigned value) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned left = __shfl_up_sync(kAllLanes, value, lanes);
        value += lane >= lanes ? left : 0;
    }
    return value;
}

/// Loads the bits that the brick's cells and their edges need. All lanes have to call it.
__device__ inline void loadMasks(const SurfaceWork& work, const BrickEntry& entry, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    if (lane < 8) {
        const int slot = static_cast<int>(lane);
        const std::uint32_t other =
            work.bricks.neighbour(entry.brick, entry.place, slot & 1, slot >> 1 & 1, slot >> 2);
        space.bricks[lane] = other;
        space.firsts[lane] = other == kNoBrick ? 0 : work.firstVertex[other];
    }
    __syncwarp();
    const auto* inside = reinterpret_cast<const Word*>(work.inside);
    for (unsigned i = lane; i < 36; i += 32) {
        const unsigned slot = i < 32 ? i / 8 : i % 4, z = i < 32 ? i % 8 : 8;
        const std::uint32_t other = space.bricks[slot + (z == 8 ? 4 : 0)];
        space.inside[slot][z] = other == kNoBrick ? 0 : inside[std::size_t{other} * kBrickEdge + z % 8];
    }
#pragma unroll
    for (unsigned i = lane; i < kSliceSources; i += 32) {
        const SliceSource source = kSources.of[i];
        const std::uint32_t other = space.bricks[source.slot];
        if (other == kNoBrick)
            continue;
        // of a brick without surface this is anything, and no cell asks for it
        HalfSlice half = work.edges[std::size_t{other} * kHalfSlices + source.from];
        half.before += space.firsts[source.slot];
        space.edges[source.to] = half;
    }
    __syncwarp();
    for (unsigned i = lane; i < 81; i += 32) {
        const unsigned y = i % 9, z = i / 9, slot = y == 8 ? 2 : 0, shift = y % 8 * 8;
        const auto row = static_cast<unsigned>(space.inside[slot][z] >> shift) & 0xffu;
        const auto next = static_cast<unsigned>(space.inside[slot + 1][z] >> shift) & 1u;
        space.rows[i] = static_cast<std::uint16_t>(row | next << 8);
    }
}

/// Lists the active cells in order; returns how many there are. All lanes have to call it.
__device__ inline unsigned listCells(const SurfaceWork& work, std::uint32_t brick, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    const auto* rows = reinterpret_cast<const std::uint8_t*>(work.active + std::size_t{brick} * kBrickEdge);
    const unsigned low = rows[lane], high = rows[lane + 32]; // y = lane % 8, z = lane / 8 and that + 4
    const auto lowCount = static_cast<unsigned>(__popc(low)), highCount = static_cast<unsigned>(__popc(high));
    const unsigned upTo = sumOfLanesUpTo(lowCount | highCount << 16);
    const unsigned sums = __shfl_sync(kAllLanes, upTo, 31);
    std::uint16_t* to = space.cells + (upTo & 0xffffu) - lowCount;
    for (unsigned rest = low; rest != 0; rest &= rest - 1)
        *to++ = static_cast<std::uint16_t>(
            spreadNode(static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1, lane % 8, lane / 8));
    to = space.cells + (sums & 0xffffu) + (upTo >> 16) - highCount;
    for (unsigned rest = high; rest != 0; rest &= rest - 1)
        *to++ = static_cast<std::uint16_t>(
            spreadNode(static_cast<unsigned>(__ffs(static_cast<int>(rest))) - 1, lane % 8, lane / 8 + 4));
    __syncwarp();
    return (sums & 0xffffu) + (sums >> 16);
}

/// Case of a cell, see cube_tables.h.
__device__ inline unsigned caseOf(const TriangleSpace& space, unsigned cell) {
    const unsigned x = cell & 15u;
    const std::uint16_t* row = space.rows + (cell >> 8) * 9 + (cell >> 4 & 15u);
    const auto two = [&](unsigned at) { return static_cast<unsigned>(row[at]) >> x & 3u; };
    return two(0) | two(1) << 2 | two(9) << 4 | two(10) << 6;
}

__device__ inline std::uint32_t vertexOf(const TriangleSpace& space, unsigned node) {
    const HalfSlice half = space.edges[edgeSlice(node)];
    return half.before + static_cast<std::uint32_t>(__popc(half.bits & ((1u << edgeBit(node)) - 1)));
}

/// Writes the first `count` of the triangles that wait, at most 32. All lanes have to call it.
__device__ inline void writeTriangles(TriangleSpace& space, const std::uint32_t* waiting, unsigned count,
                                      std::uint32_t* to) {
    const unsigned lane = threadIdx.x % 32;
    if (lane < count) {
        const unsigned code = waiting[lane], cell = code & 0xfffu;
        const CaseTriangle triangle = kCaseTriangles.of[code >> 12];
#pragma unroll
        for (unsigned i = 0; i < 3; ++i)
            space.out[3 * lane + i] = vertexOf(space, cell + triangle.corners[i]);
    }
    __syncwarp();
    writeInOrder(to, space.out, 3 * count);
    __syncwarp();
}

/// All triangles of a brick's cells. All lanes of the warp have to call it.
__device__ inline void makeTriangles(const SurfaceWork& work, const BrickEntry& entry, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    __syncwarp(); // what the brick before has left is read
    loadMasks(work, entry, space);
    const unsigned cells = listCells(work, entry.brick, space);
    std::uint32_t* to = work.indices + 3 * static_cast<std::size_t>(entry.firstTriangle);
    unsigned waiting = 0;
    for (unsigned first = 0; first < cells; first += 32) {
        unsigned code = 0, count = 0;
        if (first + lane < cells) {
            const unsigned cell = space.cells[first + lane], begin = caseOf(space, cell) * kMaxCaseTriangles;
            count = kCaseTriangles.of[begin].count;
            code = cell | begin << 12;
        }
        const unsigned upTo = waiting + sumOfLanesUpTo(count);
        for (unsigned i = 0; i < count; ++i)
            space.triangles[upTo - count + i] = code + (i << 12);
        waiting = __shfl_sync(kAllLanes, upTo, 31);
        __syncwarp();
        unsigned written = 0;
        for (; waiting - written >= 32; written += 32, to += 96)
            writeTriangles(space, space.triangles + written, 32, to);
        waiting -= written;
        const std::uint32_t rest = lane < waiting ? space.triangles[written + lane] : 0;
        __syncwarp();
        if (lane < waiting)
            space.triangles[lane] = rest;
    }
    __syncwarp();
    writeTriangles(space, space.triangles, waiting, to);
}

} // namespace scanloupe::cuda
