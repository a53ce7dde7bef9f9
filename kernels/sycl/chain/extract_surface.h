#pragma once
// Defines marching cubes for SYCL in its four steps: classify (classify_cells.h), exclusive scan, compact,
// generate. Cases, crossings and normals are computed by the same functions as in the other backends.
#include "kernels/core/cost.h"
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_rows.h"
#include "kernels/field/core/brick_slices.h"
#include "kernels/mesh/core/mesh_limits.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/surface_element.h"
#include "kernels/sycl/chain/classify_cells.h"
#include "kernels/sycl/chain/scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace scanloupe::sycl_chain {

/// Step 3: lists the bricks that contain surface, ascending. @param total result of step 2, on the device
template <class Q>
void compact(Q& q, const SurfaceArrays& a, const SurfaceCount* total) {
    q.forEach(a.bricks, [=](std::size_t brick) {
        const std::uint32_t next = brick + 1 < a.bricks ? a.counts[brick + 1].bricks : total->bricks;
        if (a.counts[brick].bricks != next)
            a.list[a.counts[brick].bricks] = std::uint32_t(brick);
    });
}

/// Returns the sample of a node, at -1 to 9 along each axis of a brick; NaN if the node has no sample.
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
    // The node and its six neighbours, in the order in which gradientAt() reads them with steps of 1, 2 and
    // 3.
    const float samples[7] = {
        sampleAt(a, around, {n.x, n.y, n.z - 1}), sampleAt(a, around, {n.x, n.y - 1, n.z}),
        sampleAt(a, around, {n.x - 1, n.y, n.z}), here,
        sampleAt(a, around, {n.x + 1, n.y, n.z}), sampleAt(a, around, {n.x, n.y + 1, n.z}),
        sampleAt(a, around, {n.x, n.y, n.z + 1})};
    return gradientAt(samples + 3, 2, 3, a.slopes);
}

/// A crossed edge of a brick, which has a vertex. Packed into a word to keep the list small.
struct CrossedEdge {
    std::uint64_t word; ///< from the highest bits on: 32 bits brick, 2 bits axis, 9 bits node

    HD static CrossedEdge of(std::uint32_t brick, std::size_t axis, std::size_t node) {
        return {std::uint64_t{brick} << 11 | axis << 9 | node};
    }
    HD std::uint32_t brick() const { return std::uint32_t(word >> 11); }
    HD int axis() const { return int(word >> 9 & 3); }
    HD Vec3i lower() const { return nodeAt(unsigned(word & 511)); }
};

/// Step 4, vertices: lists the crossed edges, then processes one vertex per item.
template <class Q>
void generateVertices(Q& q, const SurfaceArrays& a, const SurfaceCount& total) {
    constexpr std::size_t sliceNodes = std::size_t{kBrickEdge} * kBrickEdge, words = 3 * kBrickEdge;
    q.forEach(total.bricks * words, [=](std::size_t item) {
        const std::uint32_t brick = a.list[item / words];
        const std::size_t word = item % words, at = brick * words + word;
        const std::size_t axis = word / kBrickEdge, firstNode = word % kBrickEdge * sliceNodes;
        std::uint64_t* out = a.workList + a.counts[brick].vertices + verticesBefore(a, brick, word);
        for (std::uint64_t rest = a.edges[at]; rest != 0; rest &= rest - 1)
            *out++ = CrossedEdge::of(brick, axis, firstNode + std::size_t(std::countr_zero(rest))).word;
    });
    const float outward = a.insideBelow ? 1.0f : -1.0f;
    q.forEach(total.vertices, [=](std::size_t vertex) {
        const CrossedEdge edge{a.workList[vertex]};
        const std::uint32_t* const around = a.around + std::size_t{edge.brick()} * kNeighbours;
        const int axis = edge.axis();
        const Vec3i node = edge.lower(), other = node + Vec3i{axis == 0, axis == 1, axis == 2};
        const float lower = sampleAt(a, around, node), upper = sampleAt(a, around, other);
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
        const Vec3i first = brickOf(a.keys[edge.brick()], a.brickDims) * kBrickEdge;
        a.positions[vertex] = surfacePoint(first + node, axis, t, a.lattice);
        a.normals[vertex] =
            surfaceNormal(gradientOf(a, around, node, lower), gradientOf(a, around, other, upper), t, outward,
                          axis, isInside(lower, a.iso, a.insideBelow));
    });
}

/// A triangle of a cell: triangle `number` of the cell's case of marching cubes.
struct CellTriangle {
    std::uint64_t word; ///< from the highest bits on: 32 bits brick, 9 bits cell, 8 bits case, 3 bits number
    static_assert(kBrickNodes == 512 && kMaxCaseTriangles <= 8);

    HD static CellTriangle of(std::uint32_t brick, std::size_t cell, unsigned cubeCase, unsigned number) {
        return {std::uint64_t{brick} << 20 | cell << 11 | cubeCase << 3 | number};
    }
    HD std::uint32_t brick() const { return std::uint32_t(word >> 20); }
    HD Vec3i cell() const { return nodeAt(unsigned(word >> 11 & 511)); }
    HD unsigned cubeCase() const { return unsigned(word >> 3 & 255); }
    HD unsigned number() const { return unsigned(word & 7); }
};

/// Returns the index of the vertex on an edge of a cell.
HD inline std::uint32_t vertexOn(const SurfaceArrays& a, const std::uint32_t* around, Vec3i cell,
                                 CubeEdge edge) {
    const Vec3i node = cell + Vec3i{edge.corner & 1, edge.corner >> 1 & 1, edge.corner >> 2};
    const std::size_t owner =
        around[neighbourSlot(node.x / kBrickEdge, node.y / kBrickEdge, node.z / kBrickEdge)];
    const int last = kBrickEdge - 1, place = (node.x & last) + kBrickEdge * (node.y & last);
    const auto word = std::size_t(edge.axis * kBrickEdge + (node.z & last));
    const std::uint64_t before = (std::uint64_t{1} << place) - 1;
    const auto rank = unsigned(std::popcount(a.edges[owner * 3 * kBrickEdge + word] & before));
    return std::uint32_t(a.counts[owner].vertices + verticesBefore(a, owner, word) + rank);
}

/// Step 4, triangles: lists the triangles, then processes one triangle per item.
template <class Q>
void generateTriangles(Q& q, const SurfaceArrays& a, const SurfaceCount& total) {
    q.forEach(std::size_t{total.bricks} * kBrickRows, [=](std::size_t item) {
        const std::uint32_t brick = a.list[item / kBrickRows];
        const std::size_t row = item % kBrickRows, z = row / kBrickEdge;
        const std::size_t firstSlice = std::size_t{brick} * kBrickEdge;
        const std::uint64_t active =
            a.active[firstSlice + z] & (bits::kFirstRow << row % kBrickEdge * kBrickEdge);
        if (active == 0)
            return;
        const std::uint32_t* const around = a.around + std::size_t{brick} * kNeighbours;
        std::uint64_t triangle = a.counts[brick].triangles;
        for (std::size_t below = 0; below < z; ++below)
            triangle += a.sliceTriangles[firstSlice + below];
        for (std::size_t below = z * kBrickEdge; below < row; ++below)
            triangle += a.rowTriangles[firstSlice * kBrickEdge + below];
        std::uint64_t* out = a.workList + triangle;
        const CornerBits lower = nodesOfCells(a.inside, around, int(z)),
                         upper = nodesOfCells(a.inside, around, int(z) + 1);
        for (std::uint64_t rest = active; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const unsigned cubeCase = caseOf(lower, upper, bit);
            for (unsigned number = 0; number < kCubeTables.triangleCount[cubeCase]; ++number)
                *out++ =
                    CellTriangle::of(brick, z * kBrickEdge * kBrickEdge + std::size_t(bit), cubeCase, number)
                        .word;
        }
    });
    q.forEach(total.triangles, [=](std::size_t i) {
        const CellTriangle triangle{a.workList[i]};
        const std::uint32_t* const around = a.around + std::size_t{triangle.brick()} * kNeighbours;
        const auto* const edges = &kCubeTables.edges[triangle.cubeCase()][3 * triangle.number()];
        for (std::size_t c = 0; c < 3; ++c)
            a.indices[3 * i + c] = vertexOn(a, around, triangle.cell(), cubeEdge(edges[c]));
    });
}

/// Counts the triangles without area, in double precision, where the products are exact.
template <class Q>
void countZeroArea(Q& q, const SurfaceArrays& a, const SurfaceCount& total) {
    q.forEach(std::size_t{total.bricks} * kBrickEdge, [=](std::size_t item) {
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
            const Vec3d p = a.positions[corners[0]].as<double>();
            const Vec3d across =
                cross(a.positions[corners[1]].as<double>() - p, a.positions[corners[2]].as<double>() - p);
            count += across.x == 0 && across.y == 0 && across.z == 0 ? 1 : 0;
        }
        if (count > 0)
            Q::add(a.zeroArea, count);
    });
}

/// Extracts the iso-surface of a field, identical to the result of cpu::extractSurface.
/// @note Synchronizes after each step, so that each step can be timed. @throws as cpu::extractSurface;
/// SyclFailure
template <class Q>
TriangleMesh extractSurface(Q& q, const ScalarField& field, float iso) {
    if (std::isnan(iso))
        throw KernelError("the iso-value must be a number (got nan)",
                          "Set an iso-value within the field's range.");
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
    const DeviceArray<std::uint64_t, Q> wordVertices(q, bricks * 3), sliceCells(q, bricks),
        verticesBefore(q, bricks * 6);
    const DeviceArray<std::uint16_t, Q> sliceTriangles(q, bricks * kBrickEdge);
    const DeviceArray<std::uint8_t, Q> rowTriangles(q, bricks * kBrickRows);
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
                    wordVertices.data(),
                    sliceCells.data(),
                    verticesBefore.data(),
                    counts.data(),
                    list.data(),
                    candidates.data(),
                    zeroArea.data(),
                    nullptr,
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
        const DeviceArray<std::uint64_t, Q> workList(q, std::max(all.vertices, all.triangles));
        a.workList = workList.data();
        generateVertices(q, a, all);
        generateTriangles(q, a, all);
        countZeroArea(q, a, all);
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
