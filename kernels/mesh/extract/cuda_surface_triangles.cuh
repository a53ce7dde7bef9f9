#pragma once
// Generates the triangles of one brick with one warp. Counts triangles with one lane per cell, and writes
// them with one lane per triangle. Vertex ids are computed from the masks of the bricks that own the
// vertices, so the vertices need not exist yet.
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/cuda_surface_vertices.cuh"

namespace scanloupe::cuda {

/// Returns the code of the edge along `axis` from a node with coordinates 0 to 8. In the code, y begins at
/// bit 0, z at bit 5, x at bit 28, and each axis adds 288. Codes are additive: the code of an edge of a cell
/// is the code of the cell plus the code of the edge within a cell. Bit fields of the code are the index of
/// the edge's half slice in TriangleSpace::edges, and the edge's bit in that half slice.
constexpr std::uint32_t edgeCode(unsigned axis, unsigned x, unsigned y, unsigned z) {
    return y + (z << 5) + axis * 288 + (x << 28);
}
static_assert(edgeCode(2, 8, 8, 7) == edgeCode(0, 7, 7, 6) + edgeCode(2, 1, 1, 1));
/// Number of half slices: [axis, z from 0 to 8, x = 8, y = 8, half].
inline constexpr unsigned kEdgeSlices = 3 * 9 * 8;
__device__ inline unsigned sliceOfEdge(std::uint32_t code) {
    return (code >> 2 & 0xffu) | (code >> 29 & 4u);
}
__device__ inline unsigned bitOfEdge(std::uint32_t code) {
    return (code & 3u) << 3 | (code >> 28 & 7u);
}

/// A triangle of a case. `corners`: code of the edge of each corner, relative to the cell's lowest node.
struct alignas(16) CaseTriangle {
    std::uint32_t corners[3];
    std::uint32_t count; ///< number of triangles of the case
};
struct CaseTriangles {
    CaseTriangle of[256 * kMaxCaseTriangles];
};
constexpr CaseTriangles caseTriangles() {
    CaseTriangles result{};
    for (std::size_t c = 0; c < 256; ++c)
        for (std::size_t t = 0; t < kMaxCaseTriangles; ++t) {
            CaseTriangle& triangle = result.of[c * kMaxCaseTriangles + t];
            triangle.count = kCubeTables.triangleCount[c];
            for (std::size_t i = 0; i < 3; ++i) {
                const CubeEdge edge = cubeEdge(kCubeTables.edges[c][3 * t + i]);
                const auto corner = static_cast<unsigned>(edge.corner);
                triangle.corners[i] =
                    edgeCode(static_cast<unsigned>(edge.axis), corner & 1, corner >> 1 & 1, corner >> 2);
            }
        }
    return result;
}
__device__ const CaseTriangles kCaseTriangles = caseTriangles();

inline constexpr unsigned kRowsOfSlice = 32; ///< number of rows per slice: 9, padded so that a row's index is
                                             ///< a bit field of a code

struct TriangleSpace {
    alignas(16) HalfSlice edges[kEdgeSlices]; ///< crossed edges, and id of the first vertex
    std::uint32_t out[96];                    ///< vertex ids of 32 triangles, staged for coalesced writes
    /// codes of triangles to be written: those of 32 cells, and the remainder of previous cells
    std::uint32_t triangles[32 * (kMaxCaseTriangles + 1)];
    std::uint16_t rows[9 * kRowsOfSlice]; ///< for each row, inside bits of the nodes 0 to 8
    std::uint16_t cells[kBrickNodes]; ///< active cells: y from bit 0 on, z from bit 5 on, x from bit 12 on
};

/// Returns the inclusive prefix sum over the lanes of a warp.
__device__ inline unsigned sumOfLanesUpTo(unsigned value) {
    const unsigned lane = threadIdx.x % 32;
#pragma unroll
    for (unsigned lanes = 1; lanes < 32; lanes *= 2) {
        const unsigned left = __shfl_up_sync(kAllLanes, value, lanes);
        value += lane >= lanes ? left : 0;
    }
    return value;
}

/// Loads the bits that the brick's cells and their edges need. Returns the active cells of two rows of the
/// brick: y = lane % 8, z = lane / 8 and z = lane / 8 + 4. The edges of a brick without surface are
/// undefined, but no cell reads them. All loads are issued before the first result is used. Must be called by
/// all lanes.
__device__ inline uint2 loadMasks(const SurfaceWork& work, const BrickEntry& entry, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32, k = lane % kBrickEdge, part = lane / kBrickEdge;
    std::uint32_t mine = 0, first = 0; // index and first vertex of the brick at (lane & 1, lane >> 1 & 1,
                                       // lane >> 2)
    if (lane < 8) {
        const std::uint32_t other =
            work.bricks.neighbour(entry.brick, entry.place, static_cast<int>(lane & 1),
                                  static_cast<int>(lane >> 1 & 1), static_cast<int>(lane >> 2));
        mine = other == kNoBrick ? work.bricks.count : other; // the extra brick, whose bits are all 0
        first = work.firstVertex[mine];
    }
    const auto brickAt = [&](unsigned slot) { return std::size_t{__shfl_sync(kAllLanes, mine, slot)}; };
    const auto slice = [](unsigned axis, unsigned z, unsigned x, unsigned y) {
        return axis * 72 + z * 8 + x * 4 + y * 2;
    };
    // Each lane loads pairs of half slices of edges. First, 24 lanes load the edges of the brick itself,
    const unsigned ownTo = slice(part, k, 0, 0);
    // then all lanes load the edges at x = 8 along y and z, and at y = 8 along x and z,
    const bool atX = lane < 16;
    const unsigned sideSlot = atX ? 1 : 2, sidePair = atX ? lane + 8 : (part - 2) * 16 + k,
                   sideTo = atX ? slice(part + 1, k, 1, 0) : slice((part - 2) * 2, k, 0, 1);
    // then 12 lanes load the edges at x = y = 8 along z; at z = 8 along x and along y; at x = z = 8 along y;
    // and at y = z = 8 along x
    const bool alongZ = lane < 8;
    const unsigned topAxis = lane == 9 || lane == 10 ? 1 : 0;
    const unsigned topSlot = alongZ      ? 3
                             : lane < 10 ? 4
                                         : (lane - 5) & 7,
                   topPair = alongZ ? lane + 16 : topAxis * 8,
                   topTo = alongZ ? slice(2, lane, 1, 1)
                                  : slice(topAxis, 8, lane == 10 ? 1 : 0, lane == 11 ? 1 : 0);
    // rows of nodes at y = 8, at z = 8, and at both
    const unsigned rowSlot = ((part + 1) * 2) & 7, rowAt = part == 0 ? k * 8 : k;

    const std::size_t own = brickAt(0), next = brickAt(1), side = brickAt(sideSlot), top = brickAt(topSlot),
                      row = brickAt(rowSlot), afterRow = brickAt(rowSlot + 1);
    const auto* edges = reinterpret_cast<const uint4*>(work.edges);
    const auto* nodes = reinterpret_cast<const std::uint8_t*>(work.inside);
    const auto* cells = reinterpret_cast<const std::uint8_t*>(work.active);
    uint4 ownEdges{}, topEdges{};
    unsigned endRow = 0, afterEnd = 0;
    if (lane < 24)
        ownEdges = edges[own * (kHalfSlices / 2) + lane];
    uint4 sideEdges = edges[side * (kHalfSlices / 2) + sidePair];
    if (lane < 12)
        topEdges = edges[top * (kHalfSlices / 2) + topPair];
    const unsigned lowRow = nodes[own * 64 + lane], highRow = nodes[own * 64 + lane + 32];
    const unsigned afterLow = nodes[next * 64 + lane], afterHigh = nodes[next * 64 + lane + 32];
    if (lane < 17) {
        endRow = nodes[row * 64 + rowAt];
        afterEnd = nodes[afterRow * 64 + rowAt];
    }
    const uint2 active{cells[own * 64 + lane], cells[own * 64 + lane + 32]};

    const auto store = [&](uint4 both, unsigned slot, unsigned to, bool here) {
        const std::uint32_t begin = __shfl_sync(kAllLanes, first, slot);
        both.y += begin;
        both.w += begin;
        if (here)
            *reinterpret_cast<uint4*>(space.edges + to) = both;
    };
    store(ownEdges, 0, ownTo, lane < 24);
    store(sideEdges, sideSlot, sideTo, true);
    store(topEdges, topSlot, topTo, lane < 12);
    const auto nine = [](unsigned here, unsigned after) {
        return static_cast<std::uint16_t>(here | (after & 1u) << 8);
    };
    space.rows[part * kRowsOfSlice + k] = nine(lowRow, afterLow);
    space.rows[(part + 4) * kRowsOfSlice + k] = nine(highRow, afterHigh);
    if (lane < 17)
        space.rows[(part == 0 ? k : 8) * kRowsOfSlice + (part == 1 ? k : 8)] = nine(endRow, afterEnd);
    return active;
}

/// Lists the active cells of `rows` (see loadMasks) in order, and returns their number. Must be called by all
/// lanes.
__device__ inline unsigned listCells(uint2 rows, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32, low = rows.x, high = rows.y;
    const auto lowCount = static_cast<unsigned>(__popc(low)), highCount = static_cast<unsigned>(__popc(high));
    const unsigned upTo = sumOfLanesUpTo(lowCount | highCount << 16);
    const unsigned sums = __shfl_sync(kAllLanes, upTo, 31), lowSum = sums & 0xffffu;
    const auto list = [&](unsigned to, unsigned bits, unsigned code) {
        for (; bits != 0; bits &= bits - 1)
            space.cells[to++] = static_cast<std::uint16_t>(
                code | (static_cast<unsigned>(__ffs(static_cast<int>(bits))) - 1) << 12);
    };
    const unsigned code = lane % 8 | lane / 8 << 5;
    list((upTo & 0xffffu) - lowCount, low, code);
    list(lowSum + (upTo >> 16) - highCount, high, code + (4 << 5));
    __syncwarp();
    return lowSum + (sums >> 16);
}

/// Returns the case of a cell, see cube_tables.h.
__device__ inline unsigned caseOf(const TriangleSpace& space, unsigned cell) {
    const unsigned x = cell >> 12;
    const std::uint16_t* row = space.rows + (cell & 0x1ffu);
    const auto two = [&](unsigned at) { return static_cast<unsigned>(row[at]) >> x & 3u; };
    return two(0) | two(1) << 2 | two(kRowsOfSlice) << 4 | two(kRowsOfSlice + 1) << 6;
}

__device__ inline std::uint32_t vertexOf(const TriangleSpace& space, std::uint32_t edge) {
    const HalfSlice half = space.edges[sliceOfEdge(edge)];
    return half.before + static_cast<std::uint32_t>(__popc(half.bits & ~(kAllLanes << bitOfEdge(edge))));
}

/// Writes the first `count` of the waiting triangles, at most 32. Must be called by all lanes.
__device__ inline void writeTriangles(TriangleSpace& space, const std::uint32_t* waiting, unsigned count,
                                      std::uint32_t* to) {
    const unsigned lane = threadIdx.x % 32;
    if (lane < count) {
        const std::uint32_t code = waiting[lane], cell = code & 0xf00001ffu;
        const CaseTriangle triangle = kCaseTriangles.of[code >> 12 & 0x7ffu];
#pragma unroll
        for (unsigned i = 0; i < 3; ++i)
            space.out[3 * lane + i] = vertexOf(space, cell + triangle.corners[i]);
    }
    __syncwarp();
    writeInOrder(to, space.out, 3 * count);
    __syncwarp();
}

/// Generates all triangles of a brick's cells. Must be called by all lanes of the warp.
__device__ inline void makeTriangles(const SurfaceWork& work, const BrickEntry& entry, TriangleSpace& space) {
    const unsigned lane = threadIdx.x % 32;
    __syncwarp(); // wait until the data of the previous brick have been read
    const unsigned cells = listCells(loadMasks(work, entry, space), space);
    std::uint32_t* to = work.indices + 3 * static_cast<std::size_t>(entry.firstTriangle);
    unsigned waiting = 0;
    for (unsigned first = 0; first < cells; first += 32) {
        std::uint32_t code = 0;
        unsigned count = 0;
        // the code of a waiting triangle contains the cell's x, y and z, and from bit 12 on the triangle's
        // index in kCaseTriangles
        if (first + lane < cells) {
            const unsigned cell = space.cells[first + lane];
            const unsigned begin = caseOf(space, cell) * kMaxCaseTriangles;
            count = kCaseTriangles.of[begin].count;
            code = (cell & 0x1ffu) | cell >> 12 << 28 | begin << 12;
        }
        const unsigned upTo = waiting + sumOfLanesUpTo(count);
        std::uint32_t* const mine = space.triangles + upTo - count;
#pragma unroll
        for (unsigned i = 0; i < kMaxCaseTriangles; ++i)
            if (i < count)
                mine[i] = code + (i << 12);
        waiting = __shfl_sync(kAllLanes, upTo, 31);
        __syncwarp();
        const std::uint32_t* next = space.triangles;
        for (; waiting >= 32; waiting -= 32, next += 32, to += 96)
            writeTriangles(space, next, 32, to);
        const std::uint32_t rest = next[lane];
        __syncwarp();
        if (lane < waiting)
            space.triangles[lane] = rest;
    }
    __syncwarp();
    writeTriangles(space, space.triangles, waiting, to);
}

} // namespace scanloupe::cuda
