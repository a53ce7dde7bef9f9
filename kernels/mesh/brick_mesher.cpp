#include "kernels/mesh/brick_mesher.h"

#include "kernels/field/brick_bits.h"
#include "kernels/mesh/cube_tables.h"
#include "kernels/mesh/surface_cell.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace scanloupe::cpu {

namespace {
/// Id of the vertex on the edge along `axis` from node `bit` of slice `z`: ids follow axes, then nodes.
std::uint32_t rankedId(const ActiveBrick& owner, int axis, int z, int bit) {
    int rank = 0;
    for (int a = 0; a <= axis; ++a)
        for (int i = 0; i < (a < axis ? kBrickEdge : z); ++i)
            rank += std::popcount(owner.edges[static_cast<std::size_t>(a)][static_cast<std::size_t>(i)]);
    const std::uint64_t word = owner.edges[static_cast<std::size_t>(axis)][static_cast<std::size_t>(z)];
    rank += std::popcount(word & ((std::uint64_t{1} << bit) - 1));
    return static_cast<std::uint32_t>(owner.firstVertex + static_cast<std::uint64_t>(rank));
}

/// Where the edges of a cell are in the table of ids, from the cell's own place.
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
    loadValues();
    makeVertices(active);
    lookUpNeighbours();
    makeTriangles(active);
}

void BrickMesher::loadValues() {
    constexpr float none = std::numeric_limits<float>::quiet_NaN();
    constexpr int last = kBrickEdge - 1;
    float* out = m_values.data();
    for (int z = -1; z <= kBrickEdge + 1; ++z) {
        for (int y = -1; y <= kBrickEdge + 1; ++y, out += kSide) {
            const int dy = y < 0 ? -1 : y > last ? 1 : 0, dz = z < 0 ? -1 : z > last ? 1 : 0;
            const auto row = [&](int dx) -> const float* {
                const std::uint32_t brick = m_around[neighbourSlot(dx, dy, dz)];
                if (brick == kNoBrick)
                    return nullptr;
                const int offset = ((z & last) * kBrickEdge + (y & last)) * kBrickEdge;
                return &m_plan.field
                            .values[std::size_t{brick} * kBrickNodes + static_cast<std::size_t>(offset)];
            };
            const float *before = row(-1), *here = row(0), *after = row(1);
            out[0] = before ? before[last] : none;
            if (here)
                std::copy_n(here, kBrickEdge, out + 1);
            else
                std::fill_n(out + 1, kBrickEdge, none);
            out[kBrickEdge + 1] = after ? after[0] : none;
            out[kBrickEdge + 2] = after ? after[1] : none;
        }
    }
}

Vec3f BrickMesher::gradient(int x, int y, int z) const {
    return gradientAt(&value(x, y, z), kSide, kSide * kSide, m_scale);
}

void BrickMesher::makeVertices(const ActiveBrick& active) {
    const bool insideBelow = m_plan.field.insideBelow;
    const float outward = insideBelow ? 1.0f : -1.0f;
    const LatticeShape& lattice = m_plan.field.lattice;
    std::array<std::uint64_t, 3> ids{active.firstVertex}; // the next one along each axis
    for (std::size_t axis = 0; axis < 2; ++axis) {
        ids[axis + 1] = ids[axis];
        for (const std::uint64_t word : active.edges[axis])
            ids[axis + 1] += static_cast<std::uint64_t>(std::popcount(word));
    }
    for (int z = 0; z < kBrickEdge; ++z) {
        const auto at = static_cast<std::size_t>(z);
        const std::uint64_t crossed = active.edges[0][at] | active.edges[1][at] | active.edges[2][at];
        for (std::uint64_t rest = crossed; rest != 0; rest &= rest - 1) {
            const int bit = std::countr_zero(rest), x = bit % kBrickEdge, y = bit / kBrickEdge;
            const float lower = value(x, y, z);
            const Vec3f lowerGradient = gradient(x, y, z);
            const bool lowerInside = isInside(lower, m_plan.iso, insideBelow);
            for (int axis = 0; axis < 3; ++axis) {
                if ((active.edges[static_cast<std::size_t>(axis)][at] >> bit & 1) == 0)
                    continue;
                const int ux = x + (axis == 0), uy = y + (axis == 1), uz = z + (axis == 2);
                const float t = crossing(lower, value(ux, uy, uz), m_plan.iso);
                const std::uint64_t id = ids[static_cast<std::size_t>(axis)]++;
                m_mesh.positions[id] = surfacePoint(m_first + Vec3i{x, y, z}, axis, t, lattice);
                m_mesh.normals[id] =
                    surfaceNormal(lowerGradient, gradient(ux, uy, uz), t, outward, axis, lowerInside);
                vertexId(x, y, z, axis) = static_cast<std::uint32_t>(id);
            }
        }
    }
}

void BrickMesher::lookUpNeighbours() {
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
                continue; // such edges lead away from this brick's cells
            for (int z = 0; z < (dz ? 1 : kBrickEdge); ++z) {
                std::uint64_t rest =
                    owner.edges[static_cast<std::size_t>(axis)][static_cast<std::size_t>(z)] & shared;
                for (; rest != 0; rest &= rest - 1) {
                    const int bit = std::countr_zero(rest);
                    vertexId(bit % kBrickEdge + kBrickEdge * dx, bit / kBrickEdge + kBrickEdge * dy,
                             z + kBrickEdge * dz, axis) = rankedId(owner, axis, z, bit);
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
