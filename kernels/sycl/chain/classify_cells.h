#pragma once
// Defines the first step of marching cubes for SYCL, and the arrays of all steps.
#include "kernels/field/core/brick_slices.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/surface_element.h"
#include "kernels/sycl/chain/find_neighbours.h"

#include <bit>
#include <cstdint>

namespace scanloupe::sycl_chain {

/// Counts of a brick's surface, or their sums over the previous bricks.
struct SurfaceCount {
    std::uint64_t triangles = 0, vertices = 0, cells = 0;
    std::uint32_t bricks = 0, unused = 0;

    SurfaceCount& operator+=(const SurfaceCount& other) {
        triangles += other.triangles;
        vertices += other.vertices;
        cells += other.cells;
        bricks += other.bricks;
        return *this;
    }
};

/// Arrays of an extraction, all on the device. A word of a slice [B, 8] has bit x + 8 y for node or cell (x,
/// y).
struct SurfaceArrays {
    const std::uint64_t* keys;
    const float* values;           ///< [B, 512] samples
    const std::uint64_t* cellMask; ///< [B, 8] cells that the field defines
    std::uint32_t bricks;          ///< number of bricks, B
    Vec3i brickDims;
    LatticeShape lattice;
    float iso;
    bool insideBelow;
    float zeroAreaReach;
    SlopeScale slopes;
    std::uint32_t* around;         ///< [B, 27] indices of the neighbouring bricks
    std::uint64_t *inside, *known; ///< [B, 8] nodes that are inside, and nodes that have a value
    std::uint64_t* active;         ///< [B, 8] cells that contain surface
    std::uint16_t* sliceTriangles; ///< [B, 8] number of triangles of each slice
    std::uint8_t* rowTriangles;    ///< [B, 8, 8] 0 if the row of the slice has no triangles
    std::uint64_t* edges;          ///< [B, 3, 8] crossed edges that belong to the brick, by axis and slice
    std::uint64_t* wordVertices;   ///< [B, 3] number of vertices of each word of `edges`, one byte each
    std::uint64_t* sliceCells;     ///< [B] number of active cells of each slice, one byte each
    std::uint64_t* verticesBefore; ///< [B, 6] number of the brick's vertices before each word of `edges`, 16
                                   ///< bits each
    SurfaceCount* counts;          ///< [B] counts of each brick, later their sums over the previous bricks
    std::uint32_t* list;           ///< [active bricks] indices of the bricks with surface, ascending
    std::uint32_t* hasCandidates;  ///< [B] 1 if a triangle may have no area
    std::uint64_t* zeroArea;       ///< [1] number of triangles without area
    std::uint64_t* workList;       ///< [max(vertices, triangles)] first a CrossedEdge per vertex, later a
                                   ///< CellTriangle per triangle
    Vec3f *positions, *normals;
    std::uint32_t* indices;
};

/// Returns the number of a brick's vertices before a word of its `edges`.
HD inline unsigned verticesBefore(const SurfaceArrays& a, std::size_t brick, std::size_t word) {
    return unsigned(a.verticesBefore[brick * 6 + word / 4] >> word % 4 * 16 & 0xffff);
}

/// Returns a cell's case of marching cubes, from the inside bits of the slices of nodes below and above it.
HD inline unsigned caseOf(const CornerBits& below, const CornerBits& above, int bit) {
    unsigned which = 0;
    for (int corner = 0; corner < 4; ++corner) {
        which |= unsigned(below[std::size_t(corner)] >> bit & 1) << corner;
        which |= unsigned(above[std::size_t(corner)] >> bit & 1) << (corner + 4);
    }
    return which;
}

/// Step 1: finds the nodes that are inside, the cells with surface, and the crossed edges.
template <class Q>
void classify(Q& q, const SurfaceArrays& a) {
    const std::size_t bricks = a.bricks, slices = bricks * kBrickEdge;
    findNeighbours(q, a.keys, a.bricks, a.brickDims, a.around);
    // A row of 8 nodes is one byte of its slice's word, and 32 bytes of samples, which GPUs load at once.
    auto* const insideRows = reinterpret_cast<std::uint8_t*>(a.inside);
    auto* const knownRows = reinterpret_cast<std::uint8_t*>(a.known);
    auto* const sliceCells = reinterpret_cast<std::uint8_t*>(a.sliceCells);
    auto* const wordVertices = reinterpret_cast<std::uint8_t*>(a.wordVertices);
    q.forEachCoarsened(slices * kBrickEdge, [=](std::size_t row) {
        const float* const values = a.values + row * kBrickEdge;
        unsigned inside = 0, known = 0;
        for (int x = 0; x < kBrickEdge; ++x) {
            inside |= unsigned{isInside(values[x], a.iso, a.insideBelow)} << x;
            known |= unsigned{isSample(values[x])} << x;
        }
        insideRows[row] = std::uint8_t(inside);
        knownRows[row] = std::uint8_t(known);
    });
    q.forEachCoarsened(slices, [=](std::size_t word) {
        const int z = int(word % kBrickEdge);
        const std::uint32_t* const around = a.around + word / kBrickEdge * kNeighbours;
        const CornerBits below = nodesOfCells(a.inside, around, z),
                         above = nodesOfCells(a.inside, around, z + 1);
        const std::uint64_t mixed = (any(below) | any(above)) & ~(all(below) & all(above));
        std::uint64_t active = 0;
        unsigned triangles = 0;
        if (mixed != 0) {
            active = mixed & all(nodesOfCells(a.known, around, z)) &
                     all(nodesOfCells(a.known, around, z + 1)) & a.cellMask[word];
            for (std::size_t y = 0; y < kBrickEdge; ++y) {
                unsigned ofRow = 0;
                for (std::uint64_t rest = active & (bits::kFirstRow << kBrickEdge * y); rest != 0;
                     rest &= rest - 1)
                    ofRow += kCubeTables.triangleCount[caseOf(below, above, std::countr_zero(rest))];
                a.rowTriangles[word * kBrickEdge + y] = std::uint8_t(ofRow);
                triangles += ofRow;
            }
        }
        a.active[word] = active;
        a.sliceTriangles[word] = std::uint16_t(triangles);
        sliceCells[word] = std::uint8_t(std::popcount(active));
    });
    q.forEachCoarsened(slices, [=](std::size_t word) {
        const int z = int(word % kBrickEdge);
        const std::size_t brick = word / kBrickEdge;
        const std::uint32_t* const around = a.around + brick * kNeighbours;
        const CornerBits level = cellsOfNodes(a.active, around, z),
                         below = cellsOfNodes(a.active, around, z - 1);
        std::uint64_t edges[3] = {};
        if ((any(level) | any(below)) != 0) {
            const std::uint64_t here = slice(a.inside, around, 0, 0, z);
            const std::uint64_t x = bits::fromAboveX(here, slice(a.inside, around, 1, 0, z));
            const std::uint64_t y = bits::fromAboveY(here, slice(a.inside, around, 0, 1, z));
            const std::uint64_t above = slice(a.inside, around, 0, 0, z + 1);
            edges[0] = (here ^ x) & (level[0] | level[2] | below[0] | below[2]);
            edges[1] = (here ^ y) & (level[0] | level[1] | below[0] | below[1]);
            edges[2] = (here ^ above) & any(level);
        }
        for (int axis = 0; axis < 3; ++axis) {
            const std::size_t at = (brick * 3 + std::size_t(axis)) * kBrickEdge + std::size_t(z);
            a.edges[at] = edges[axis];
            wordVertices[at] = std::uint8_t(std::popcount(edges[axis]));
        }
    });
    q.forEach(bricks, [=](std::size_t brick) {
        // Several counts are packed into each word, so that a GPU loads far fewer words.
        SurfaceCount count;
        for (std::size_t group = 0; group < 6; ++group) {
            const std::uint64_t vertices = a.wordVertices[brick * 3 + group / 2] >> group % 2 * 32;
            std::uint64_t before = 0;
            for (int lane = 0; lane < 4; ++lane) {
                before |= count.vertices << lane * 16;
                count.vertices += vertices >> lane * 8 & 0xff;
            }
            a.verticesBefore[brick * 6 + group] = before;
        }
        for (std::size_t z = 0; z < kBrickEdge; ++z) {
            count.triangles += a.sliceTriangles[brick * kBrickEdge + z];
            count.cells += a.sliceCells[brick] >> z * 8 & 0xff;
        }
        count.bricks = count.vertices + count.triangles > 0 ? 1 : 0;
        a.counts[brick] = count;
    });
}

} // namespace scanloupe::sycl_chain
