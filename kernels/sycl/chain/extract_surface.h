#pragma once
// Defines marching cubes for SYCL in its four steps: classify, exclusive scan, compact, generate. The cases,
// the crossings and the normals are the functions that the other backends call.
#include "kernels/core/cost.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_neighbours.h"
#include "kernels/field/core/brick_slices.h"
#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/surface_element.h"
#include "kernels/sycl/chain/find_neighbours.h"
#include "kernels/sycl/chain/scan.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scanloupe::sycl_chain {

/// What bricks have of the surface; also the sums of those before.
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

/// The arrays of an extraction, all on the device. Words of slices: [B, 8], bit x + 8 y.
struct SurfaceArrays {
    const std::uint64_t* keys;
    const float* values;           ///< [B, 512]
    const std::uint64_t* cellMask; ///< [B, 8]
    std::uint32_t bricks;          ///< B
    Vec3i brickDims;
    LatticeShape lattice;
    float iso;
    bool insideBelow;
    float zeroAreaReach;
    SlopeScale slopes;
    std::uint32_t* around;         ///< [B, 27] neighbours
    std::uint64_t *inside, *known; ///< [B, 8] nodes
    std::uint64_t* active;         ///< [B, 8] cells that carry surface
    std::uint16_t* sliceTriangles; ///< [B, 8]
    std::uint8_t* rowTriangles;    ///< [B, 8, 8] set where the slice has some
    std::uint64_t* edges;          ///< [B, 3, 8] crossed edges that the brick owns, by axis and slice
    std::uint16_t* verticesBefore; ///< [B, 24] the brick's vertices before each word of `edges`
    SurfaceCount* counts;          ///< [B] of each brick, then of those before
    std::uint32_t* list;           ///< [active bricks] ascending
    std::uint32_t* hasCandidates;  ///< [B] 1: a triangle may have no area
    std::uint64_t* zeroArea;       ///< [1] triangles without area
    Vec3f *positions, *normals;
    std::uint32_t* indices;
};

/// The cube's case of a cell, from the inside bits of the slices of nodes below and above it.
HD inline unsigned caseOf(const CornerBits& below, const CornerBits& above, int bit) {
    unsigned which = 0;
    for (int corner = 0; corner < 4; ++corner) {
        which |= unsigned(below[std::size_t(corner)] >> bit & 1) << corner;
        which |= unsigned(above[std::size_t(corner)] >> bit & 1) << (corner + 4);
    }
    return which;
}

/// Step 1: which nodes are inside, which cells carry surface, which edges are crossed.
template <class Q>
void classify(Q& q, const SurfaceArrays& a) {
    const std::size_t bricks = a.bricks, slices = bricks * kBrickEdge;
    findNeighbours(q, a.keys, a.bricks, a.brickDims, a.around);
    // a row of 8 nodes is a byte of its slice's word, and 32 bytes of samples, as GPUs load them
    auto* const insideRows = reinterpret_cast<std::uint8_t*>(a.inside);
    auto* const knownRows = reinterpret_cast<std::uint8_t*>(a.known);
    q.forEach(slices * kBrickEdge, [=](std::size_t row) {
        const float* const values = a.values + row * kBrickEdge;
        unsigned inside = 0, known = 0;
        for (int x = 0; x < kBrickEdge; ++x) {
            inside |= unsigned{isInside(values[x], a.iso, a.insideBelow)} << x;
            known |= unsigned{isSample(values[x])} << x;
        }
        insideRows[row] = std::uint8_t(inside);
        knownRows[row] = std::uint8_t(known);
    });
    q.forEach(slices, [=](std::size_t word) {
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
    });
    q.forEach(slices, [=](std::size_t word) {
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
        for (int axis = 0; axis < 3; ++axis)
            a.edges[(brick * 3 + std::size_t(axis)) * kBrickEdge + std::size_t(z)] = edges[axis];
    });
    q.forEach(bricks, [=](std::size_t brick) {
        SurfaceCount count;
        for (std::size_t word = 0; word < 3 * kBrickEdge; ++word) {
            a.verticesBefore[brick * 3 * kBrickEdge + word] = std::uint16_t(count.vertices);
            count.vertices += std::uint64_t(std::popcount(a.edges[brick * 3 * kBrickEdge + word]));
        }
        for (std::size_t z = 0; z < kBrickEdge; ++z) {
            count.triangles += a.sliceTriangles[brick * kBrickEdge + z];
            count.cells += std::uint64_t(std::popcount(a.active[brick * kBrickEdge + z]));
        }
        count.bricks = count.vertices + count.triangles > 0 ? 1 : 0;
        a.counts[brick] = count;
    });
}

/// Step 3: the bricks that carry surface, in order. @param total of step 2, on the device
template <class Q>
void compact(Q& q, const SurfaceArrays& a, const SurfaceCount* total) {
    q.forEach(a.bricks, [=](std::size_t brick) {
        const std::uint32_t next = brick + 1 < a.bricks ? a.counts[brick + 1].bricks : total->bricks;
        if (a.counts[brick].bricks != next)
            a.list[a.counts[brick].bricks] = std::uint32_t(brick);
    });
}

/// The sample of a node, from -1 to 9 along each axis of a brick; NaN where there is none.
HD inline float sampleAt(const SurfaceArrays& a, const std::uint32_t* around, Vec3i node) {
    const auto side = [](int n) { return n < 0 ? -1 : n >= kBrickEdge ? 1 : 0; };
    const std::uint32_t brick = around[neighbourSlot(side(node.x), side(node.y), side(node.z))];
    if (brick == kNoBrick)
        return std::numeric_limits<float>::quiet_NaN();
    const int last = kBrickEdge - 1;
    return a
        .values[std::size_t{brick} * kBrickNodes +
                std::size_t(((node.z & last) * kBrickEdge + (node.y & last)) * kBrickEdge + (node.x & last))];
}

HD inline Vec3f gradientOf(const SurfaceArrays& a, const std::uint32_t* around, Vec3i n, float here) {
    // the node and the six beside it, as gradientAt() reads them with steps of 1, 2 and 3
    const float samples[7] = {
        sampleAt(a, around, {n.x, n.y, n.z - 1}), sampleAt(a, around, {n.x, n.y - 1, n.z}),
        sampleAt(a, around, {n.x - 1, n.y, n.z}), here,
        sampleAt(a, around, {n.x + 1, n.y, n.z}), sampleAt(a, around, {n.x, n.y + 1, n.z}),
        sampleAt(a, around, {n.x, n.y, n.z + 1})};
    return gradientAt(samples + 3, 2, 3, a.slopes);
}

/// Step 4, vertices: an item is a row of a brick that carries surface.
template <class Q>
void generateVertices(Q& q, const SurfaceArrays& a, std::size_t activeBricks) {
    q.forEach(activeBricks * kBrickEdge * kBrickEdge, [=](std::size_t item) {
        const std::uint32_t brick = a.list[item / (kBrickEdge * kBrickEdge)];
        const int z = int(item / kBrickEdge % kBrickEdge), y = int(item % kBrickEdge);
        const std::uint64_t* const edges = a.edges + std::size_t{brick} * 3 * kBrickEdge + z;
        const std::uint64_t row = bits::kFirstRow << kBrickEdge * y;
        const std::uint64_t crossed = (edges[0] | edges[kBrickEdge] | edges[2 * kBrickEdge]) & row;
        if (crossed == 0)
            return;
        const std::uint32_t* const around = a.around + std::size_t{brick} * kNeighbours;
        const std::uint16_t* const before = a.verticesBefore + std::size_t{brick} * 3 * kBrickEdge + z;
        const Vec3i first = brickOf(a.keys[brick], a.brickDims) * kBrickEdge;
        std::uint64_t ids[3];
        for (int axis = 0; axis < 3; ++axis)
            ids[axis] = a.counts[brick].vertices + before[axis * kBrickEdge] +
                        std::uint64_t(std::popcount(edges[axis * kBrickEdge] & ((row & (~row + 1)) - 1)));
        const float outward = a.insideBelow ? 1.0f : -1.0f;
        for (std::uint64_t rest = crossed; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const Vec3i node{bit % kBrickEdge, bit / kBrickEdge, z};
            const float lower = sampleAt(a, around, node);
            const Vec3f lowerGradient = gradientOf(a, around, node, lower);
            const bool lowerInside = isInside(lower, a.iso, a.insideBelow);
            for (int axis = 0; axis < 3; ++axis) {
                if ((edges[axis * kBrickEdge] >> bit & 1) == 0)
                    continue;
                const Vec3i other{node.x + (axis == 0), node.y + (axis == 1), node.z + (axis == 2)};
                const float upper = sampleAt(a, around, other);
                const float t = crossing(lower, upper, a.iso);
                if (!(t >= a.zeroAreaReach && t <= 1.0f - a.zeroAreaReach)) {
                    const auto down = [&](int along, int n) { return along != axis && n == 0 ? -1 : 0; };
                    for (int dz = down(2, node.z); dz <= 0; ++dz)
                        for (int dy = down(1, node.y); dy <= 0; ++dy)
                            for (int dx = down(0, node.x); dx <= 0; ++dx)
                                if (const std::uint32_t beside = around[neighbourSlot(dx, dy, dz)];
                                    beside != kNoBrick)
                                    Q::set(a.hasCandidates + beside, 1u);
                }
                const std::uint64_t id = ids[axis]++;
                a.positions[id] = surfacePoint(first + node, axis, t, a.lattice);
                a.normals[id] = surfaceNormal(lowerGradient, gradientOf(a, around, other, upper), t, outward,
                                              axis, lowerInside);
            }
        }
    });
}

/// Step 4, triangles: an item is a row of a brick that carries surface.
template <class Q>
void generateTriangles(Q& q, const SurfaceArrays& a, std::size_t activeBricks) {
    q.forEach(activeBricks * kBrickEdge * kBrickEdge, [=](std::size_t item) {
        const std::uint32_t brick = a.list[item / (kBrickEdge * kBrickEdge)];
        const int z = int(item / kBrickEdge % kBrickEdge), row = int(item % kBrickEdge);
        const std::size_t word = std::size_t{brick} * kBrickEdge + std::size_t(z);
        const std::uint64_t active = a.active[word] & (bits::kFirstRow << kBrickEdge * row);
        if (active == 0)
            return;
        const std::uint32_t* const around = a.around + std::size_t{brick} * kNeighbours;
        std::uint64_t triangle = a.counts[brick].triangles;
        for (int below = 0; below < z; ++below)
            triangle += a.sliceTriangles[std::size_t{brick} * kBrickEdge + std::size_t(below)];
        for (int below = 0; below < row; ++below)
            triangle += a.rowTriangles[word * kBrickEdge + std::size_t(below)];
        std::uint32_t* out = a.indices + 3 * triangle;
        const CornerBits lower = nodesOfCells(a.inside, around, z),
                         upper = nodesOfCells(a.inside, around, z + 1);
        for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const unsigned which = caseOf(lower, upper, bit);
            const int corners = 3 * kCubeTables.triangleCount[which];
            for (int i = 0; i < corners; ++i) {
                const CubeEdge edge = cubeEdge(kCubeTables.edges[which][std::size_t(i)]);
                const int x = bit % kBrickEdge + (edge.corner & 1),
                          y = bit / kBrickEdge + (edge.corner >> 1 & 1), level = z + (edge.corner >> 2);
                const std::size_t owner =
                    around[neighbourSlot(x / kBrickEdge, y / kBrickEdge, level / kBrickEdge)];
                const int last = kBrickEdge - 1, edgeWord = edge.axis * kBrickEdge + (level & last),
                          place = (x & last) + kBrickEdge * (y & last);
                const std::size_t at = owner * 3 * kBrickEdge + std::size_t(edgeWord);
                const auto rank =
                    std::uint64_t(std::popcount(a.edges[at] & ((std::uint64_t{1} << place) - 1)));
                *out++ = std::uint32_t(a.counts[owner].vertices + a.verticesBefore[at] + rank);
            }
        }
    });
}

/// Counts the triangles without area, in double precision, where the products are exact.
template <class Q>
void countZeroArea(Q& q, const SurfaceArrays& a, std::size_t activeBricks) {
    q.forEach(activeBricks * kBrickEdge, [=](std::size_t item) {
        const std::uint32_t brick = a.list[item / kBrickEdge];
        if (a.hasCandidates[brick] == 0)
            return;
        const auto z = item % kBrickEdge;
        const std::uint16_t* const slices = a.sliceTriangles + std::size_t{brick} * kBrickEdge;
        std::uint64_t triangle = a.counts[brick].triangles;
        for (std::size_t below = 0; below < z; ++below)
            triangle += slices[below];
        std::uint64_t count = 0;
        for (const std::uint64_t end = triangle + slices[z]; triangle < end; ++triangle) {
            const std::uint32_t* const corners = a.indices + 3 * triangle;
            const Vec3d p = a.positions[corners[0]].template as<double>();
            const Vec3d u = a.positions[corners[1]].template as<double>() - p,
                        v = a.positions[corners[2]].template as<double>() - p;
            const Vec3d across = cross(u, v);
            count += across.x == 0 && across.y == 0 && across.z == 0 ? 1 : 0;
        }
        if (count > 0)
            Q::add(a.zeroArea, count);
    });
}

/// The iso-surface of a field: its bytes are those of cpu::extractSurface.
/// @note Synchronizes after each step, so that each can be timed. @throws as it; SyclFailure
template <class Q>
TriangleMesh extractSurface(Q& q, const ScalarField& field, float iso) {
    if (std::isnan(iso))
        throw KernelError("the iso-value is not a number", "Give an iso-value within the field's range.");
    const WallTimer whole;
    TriangleMesh mesh;
    const std::size_t bricks = field.brickCount();
    requireIndexableBricks(bricks);
    if (bricks == 0)
        return mesh;
    const Reachable<std::uint64_t, Q> keys(q, field.brickKeys.data(), bricks);
    const Reachable<float, Q> values(q, field.values.data(), bricks * kBrickNodes);
    const Reachable<std::uint64_t, Q> cellMask(q, field.cellMask.data(), bricks * kBrickEdge);
    const DeviceArray<std::uint32_t, Q> around(q, bricks * kNeighbours), list(q, bricks),
        candidates(q, bricks);
    const DeviceArray<std::uint64_t, Q> inside(q, bricks * kBrickEdge), known(q, bricks * kBrickEdge),
        active(q, bricks * kBrickEdge), edges(q, bricks * 3 * kBrickEdge), zeroArea(q, 1);
    const DeviceArray<std::uint16_t, Q> sliceTriangles(q, bricks * kBrickEdge),
        verticesBefore(q, bricks * 3 * kBrickEdge);
    const DeviceArray<std::uint8_t, Q> rowTriangles(q, bricks * kBrickEdge * kBrickEdge);
    const DeviceArray<SurfaceCount, Q> counts(q, bricks), total(q, 1);
    SurfaceArrays a{keys.data(),
                    values.data(),
                    cellMask.data(),
                    std::uint32_t(bricks),
                    field.brickDims,
                    field.lattice,
                    iso,
                    field.insideBelow,
                    zeroAreaReach(field.lattice),
                    SlopeScale(field.lattice.spacing),
                    around.data(),
                    inside.data(),
                    known.data(),
                    active.data(),
                    sliceTriangles.data(),
                    rowTriangles.data(),
                    edges.data(),
                    verticesBefore.data(),
                    counts.data(),
                    list.data(),
                    candidates.data(),
                    zeroArea.data(),
                    nullptr,
                    nullptr,
                    nullptr};
    candidates.clear();
    zeroArea.clear();
    q.wait();
    const auto timed = [&](double& ms, auto&& step) {
        const WallTimer timer;
        step();
        q.wait();
        ms = timer.elapsedMs();
        q.throwIfStopped();
    };
    SurfaceCount all;
    timed(mesh.classifyMs, [&] { classify(q, a); });
    timed(mesh.scanMs, [&] {
        exclusiveScan(q, counts.data(), bricks, total.data());
        all = total.read(0);
    });
    requireIndexable(all.vertices, all.triangles);
    timed(mesh.compactMs, [&] { compact(q, a, total.data()); });
    timed(mesh.generateMs, [&] {
        mesh.positions = q.template shared<Vec3f>(all.vertices);
        mesh.normals = q.template shared<Vec3f>(all.vertices);
        mesh.indices = q.template shared<std::uint32_t>(3 * all.triangles);
        a.positions = mesh.positions.data();
        a.normals = mesh.normals.data();
        a.indices = mesh.indices.data();
        generateVertices(q, a, all.bricks);
        generateTriangles(q, a, all.bricks);
        countZeroArea(q, a, all.bricks);
        mesh.zeroAreaTriangles = zeroArea.read(0);
    });
    mesh.activeBricks = all.bricks;
    mesh.activeCells = all.cells;
    mesh.cost.bytes = mesh.bytes();
    mesh.cost.wallMs = whole.elapsedMs();
    mesh.cost.bySycl = true;
    return mesh;
}

} // namespace scanloupe::sycl_chain
