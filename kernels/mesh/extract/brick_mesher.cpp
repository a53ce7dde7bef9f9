// Generates the vertices and triangles of bricks on the CPU.
#include "kernels/mesh/extract/brick_mesher.h"

#include "kernels/field/core/brick_bits.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/surface_element.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <limits>

namespace scanloupe::cpu {

namespace {
/// Returns the id of the vertex on the edge along `axis` from node `bit` of slice `z`. Ids are ordered by
/// axis, then by node.
std::uint32_t vertexIdAt(const ActiveBrick& owner, int axis, int z, int bit) {
    const std::uint64_t word = (*owner.edges)[static_cast<std::size_t>(axis)][static_cast<std::size_t>(z)];
    const int rank = owner.before[static_cast<std::size_t>(axis * kBrickEdge + z)] +
                     std::popcount(word & ((std::uint64_t{1} << bit) - 1));
    return static_cast<std::uint32_t>(owner.firstVertex + static_cast<std::uint64_t>(rank));
}

/// The bounding box of the lower nodes of some edges.
struct NodeBox {
    Vec3i low, high;
};
NodeBox edgeBox(const EdgeMasks& edges) {
    std::uint64_t flat = 0;
    unsigned slices = 0;
    for (std::size_t z = 0; z < kBrickEdge; ++z) {
        const std::uint64_t word = edges[0][z] | edges[1][z] | edges[2][z];
        flat |= word;
        slices |= unsigned{word != 0} << z;
    }
    unsigned columns = 0;
    for (int y = 0; y < kBrickEdge; ++y)
        columns |= static_cast<unsigned>(flat >> kBrickEdge * y) & 0xffu;
    const auto top = [](auto bits) { return static_cast<int>(std::bit_width(bits)) - 1; };
    return {{std::countr_zero(columns), std::countr_zero(flat) / kBrickEdge, std::countr_zero(slices)},
            {top(columns), top(flat) / kBrickEdge, top(slices)}};
}

/// Returns the offsets of a cell's edges in the table of ids, relative to the cell's own entry.
constexpr std::array<int, kCubeEdges> idOffsets(int nodes) {
    std::array<int, kCubeEdges> offsets{};
    for (int e = 0; e < kCubeEdges; ++e) {
        const CubeEdge edge = cubeEdge(e);
        const int x = edge.corner & 1, y = edge.corner >> 1 & 1, z = edge.corner >> 2;
        offsets[static_cast<std::size_t>(e)] = ((z * nodes + y) * nodes + x) * 3 + edge.axis;
    }
    return offsets;
}
} // namespace

void BrickMesher::run(const ActiveBrick& active) {
    m_brick = active.brick;
    m_around = &m_plan.neighbours[m_brick * kNeighbours];
    m_first = brickOf(m_plan.field.brickKeys[m_brick], m_plan.field.brickDims) * kBrickEdge;
    const bool isKept = m_plan.memory.hasSameAround(m_brick);
    if (isKept)
        copyVertices(active);
    if (m_plan.memory.hasSameTriangles(m_brick))
        return copyTriangles(active);
    if (*active.edges != EdgeMasks{}) { // otherwise the brick owns no vertices: other bricks own all vertices
                                        // of its triangles
        if (isKept) {
            loadIds(active);
        } else {
            loadValues(active);
            makeVertices(active);
        }
    }
    loadNeighbourIds();
    makeTriangles(active);
}

void BrickMesher::loadValues(const ActiveBrick& active) {
    static constexpr auto none = [] {
        std::array<float, kBrickNodes> nodes{};
        nodes.fill(std::numeric_limits<float>::quiet_NaN());
        return nodes;
    }();
    const auto nodes = [&](int dx, int dy, int dz) {
        const std::uint32_t brick = m_around[neighbourSlot(dx, dy, dz)];
        return brick == kNoBrick ? none.data() : &m_plan.field.values[std::size_t{brick} * kBrickNodes];
    };
    // load samples from one node below the lowest edge's node to two nodes above the highest edge's node, on
    // each axis
    const NodeBox box = edgeBox(*active.edges);
    constexpr int last = kBrickEdge - 1;
    const auto clip = [](int low, int high, int d, int& begin, int& end) {
        begin = std::max(low - 1 - d * kBrickEdge, 0);
        end = std::min(high + 3 - d * kBrickEdge, kBrickEdge);
    };
    for (int dz = -1; dz <= 1; ++dz) {
        int zBegin, zEnd;
        clip(box.low.z, box.high.z, dz, zBegin, zEnd);
        for (int dy = -1; dy <= 1; ++dy) {
            int yBegin, yEnd;
            clip(box.low.y, box.high.y, dy, yBegin, yEnd);
            const float *before = nodes(-1, dy, dz), *here = nodes(0, dy, dz), *after = nodes(1, dy, dz);
            for (int z = zBegin; z < zEnd; ++z) {
                for (int y = yBegin; y < yEnd; ++y) {
                    const int from = (z * kBrickEdge + y) * kBrickEdge;
                    const int row = (z + dz * kBrickEdge + 1) * kSide + y + dy * kBrickEdge + 1;
                    float* out = m_values.data() + row * kSide;
                    if (box.low.x == 0)
                        out[0] = before[from + last];
                    std::memcpy(out + 1, here + from, kBrickEdge * sizeof(float));
                    if (box.high.x >= last - 1)
                        std::memcpy(out + kBrickEdge + 1, after + from, 2 * sizeof(float));
                }
            }
        }
    }
}

void BrickMesher::markZeroAreaCandidates(int axis, Vec3i node) {
    const auto down = [&](int other) { return other != axis && node[other] == 0 ? -1 : 0; };
    for (int dz = down(2); dz <= 0; ++dz)
        for (int dy = down(1); dy <= 0; ++dy)
            for (int dx = down(0); dx <= 0; ++dx)
                if (const std::uint32_t brick = m_around[neighbourSlot(dx, dy, dz)]; brick != kNoBrick)
                    std::atomic_ref(m_plan.zeroAreaCandidates[brick]).store(1, std::memory_order_relaxed);
}

Vec3f BrickMesher::gradient(int x, int y, int z) const {
    return gradientAt(&value(x, y, z), kSide, kSide * kSide, m_scale);
}

void BrickMesher::makeVertices(const ActiveBrick& active) {
    const bool insideBelow = m_plan.field.insideBelow;
    const float outward = insideBelow ? 1.0f : -1.0f;
    const LatticeShape& lattice = m_plan.field.lattice;
    const EdgeMasks& edges = *active.edges;
    std::array<std::uint64_t, 3> ids{}; // the next id for each axis of edges
    for (std::size_t axis = 0; axis < 3; ++axis)
        ids[axis] = active.firstVertex + active.before[axis * kBrickEdge];
    for (int z = 0; z < kBrickEdge; ++z) {
        const auto at = static_cast<std::size_t>(z);
        const std::uint64_t crossed = edges[0][at] | edges[1][at] | edges[2][at];
        for (std::uint64_t rest = crossed; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest), x = bit % kBrickEdge, y = bit / kBrickEdge;
            const float lower = value(x, y, z);
            const Vec3f lowerGradient = gradient(x, y, z);
            const bool lowerInside = isInside(lower, m_plan.iso, insideBelow);
            for (int axis = 0; axis < 3; ++axis) {
                if ((edges[static_cast<std::size_t>(axis)][at] >> bit & 1) == 0)
                    continue;
                const int ux = x + (axis == 0), uy = y + (axis == 1), uz = z + (axis == 2);
                const float t = crossing(lower, value(ux, uy, uz), m_plan.iso);
                if (!(t >= m_plan.zeroAreaReach && t <= 1.0f - m_plan.zeroAreaReach))
                    markZeroAreaCandidates(axis, {x, y, z});
                const std::uint64_t id = ids[static_cast<std::size_t>(axis)]++;
                m_mesh.positions[id] = surfacePoint(m_first + Vec3i{x, y, z}, axis, t, lattice);
                m_mesh.normals[id] =
                    surfaceNormal(lowerGradient, gradient(ux, uy, uz), t, outward, axis, lowerInside);
                vertexId(x, y, z, axis) = static_cast<std::uint32_t>(id);
            }
        }
    }
}

void BrickMesher::copyVertices(const ActiveBrick& active) {
    const PreviousSurface& earlier = *m_plan.memory.earlier();
    const std::uint64_t from = earlier.trace.vertex[m_plan.memory.before(m_brick)];
    const std::size_t count = m_plan.masks.vertices[m_brick];
    std::copy_n(earlier.mesh.positions.data() + from, count, m_mesh.positions.data() + active.firstVertex);
    std::copy_n(earlier.mesh.normals.data() + from, count, m_mesh.normals.data() + active.firstVertex);
}

void BrickMesher::copyTriangles(const ActiveBrick& active) {
    struct Owner {
        std::uint32_t begin, count; // range of the owner's ids in the earlier mesh
        std::uint32_t shift;        // new id minus earlier id, modulo 2^32
    };
    const PreviousSurface& earlier = *m_plan.memory.earlier();
    std::array<Owner, 8> owners; // the bricks that own the vertices of the brick's triangles
    std::size_t count = 0;
    bool isOneShift = true;
    for (int side = 0; side < 8; ++side) {
        const std::uint32_t brick = m_around[neighbourSlot(side & 1, side >> 1 & 1, side >> 2)];
        if (brick == kNoBrick || m_plan.masks.vertices[brick] == 0)
            continue;
        const auto begin = std::uint32_t(earlier.trace.vertex[m_plan.memory.before(brick)]);
        const auto now = std::uint32_t(m_plan.bricks[m_plan.activeIndex[brick]].firstVertex);
        owners[count++] = {begin, m_plan.masks.vertices[brick], now - begin};
        isOneShift = isOneShift && owners[count - 1].shift == owners[0].shift;
    }
    const std::size_t corners = 3 * std::size_t{m_plan.masks.triangles[m_brick]};
    const std::uint32_t* from =
        earlier.mesh.indices.data() + 3 * earlier.trace.triangle[m_plan.memory.before(m_brick)];
    std::uint32_t* out = m_mesh.indices.data() + 3 * active.firstTriangle;
    if (isOneShift) {
        for (std::size_t i = 0; i < corners; ++i)
            out[i] = from[i] + owners[0].shift;
        return;
    }
    for (std::size_t i = 0; i < corners; ++i) {
        const Owner* owner = owners.data();
        while (from[i] - owner->begin >= owner->count) // find the owner of the vertex; one of them always is
            ++owner;
        out[i] = from[i] + owner->shift;
    }
}

void BrickMesher::loadIds(const ActiveBrick& active) {
    for (int axis = 0; axis < 3; ++axis)
        for (int z = 0; z < kBrickEdge; ++z) {
            const auto at = static_cast<std::size_t>(z);
            std::uint64_t id =
                active.firstVertex + active.before[static_cast<std::size_t>(axis) * kBrickEdge + at];
            for (std::uint64_t rest = (*active.edges)[static_cast<std::size_t>(axis)][at]; rest != 0;
                 rest &= rest - 1) {
                const int bit = std::countr_zero(rest);
                vertexId(bit % kBrickEdge, bit / kBrickEdge, z, axis) = static_cast<std::uint32_t>(id++);
            }
        }
}

void BrickMesher::loadNeighbourIds() {
    for (int side = 1; side < 8; ++side) {
        const int dx = side & 1, dy = side >> 1 & 1, dz = side >> 2;
        const std::uint32_t brick = m_around[neighbourSlot(dx, dy, dz)];
        if (brick == kNoBrick || m_plan.activeIndex[brick] == kNoBrick)
            continue;
        const ActiveBrick& owner = m_plan.bricks[m_plan.activeIndex[brick]];
        const std::uint64_t shared =
            (dx ? bits::kFirstColumn : ~std::uint64_t{0}) & (dy ? bits::kFirstRow : ~std::uint64_t{0});
        for (int axis = 0; axis < 3; ++axis) {
            if ((side >> axis & 1) != 0)
                continue; // edges along this axis are outside of this brick's cells
            for (int z = 0; z < (dz ? 1 : kBrickEdge); ++z) {
                std::uint64_t rest =
                    (*owner.edges)[static_cast<std::size_t>(axis)][static_cast<std::size_t>(z)] & shared;
                for (; rest != 0; rest &= rest - 1) {
                    const int bit = std::countr_zero(rest);
                    vertexId(bit % kBrickEdge + kBrickEdge * dx, bit / kBrickEdge + kBrickEdge * dy,
                             z + kBrickEdge * dz, axis) = vertexIdAt(owner, axis, z, bit);
                }
            }
        }
    }
}

void BrickMesher::makeTriangles(const ActiveBrick& active) {
    static constexpr auto offsets = idOffsets(kNodes);
    const CellCases cases(m_plan.masks.inside, m_around);
    std::uint32_t* out = m_mesh.indices.data() + 3 * active.firstTriangle;
    for (int z = 0; z < kBrickEdge; ++z) {
        std::uint64_t rest = m_plan.masks.active[m_brick * kBrickEdge + static_cast<std::size_t>(z)];
        for (; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest);
            const std::uint32_t* ids = &vertexId(bit % kBrickEdge, bit / kBrickEdge, z, 0);
            const unsigned which = cases.at(z, bit);
            const auto& edges = kCubeTables.edges[which];
            const std::size_t corners = 3 * std::size_t{kCubeTables.triangleCount[which]};
            for (std::size_t i = 0; i < corners; ++i)
                *out++ = ids[offsets[edges[i]]];
        }
    }
}

} // namespace scanloupe::cpu
