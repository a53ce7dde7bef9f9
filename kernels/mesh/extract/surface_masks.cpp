// Classifies nodes, cells and edges of a field for marching cubes on the CPU.
#include "kernels/mesh/extract/surface_masks.h"

#include "kernels/core/parallel.h"
#include "kernels/field/core/brick_slices.h"
#include "kernels/field/core/node_bits.h"
#include "kernels/mesh/extract/cube_tables.h"
#include "kernels/mesh/extract/surface_element.h"
#include "kernels/mesh/extract/surface_memory.h"

#include <algorithm>
#include <bit>

namespace scanloupe {

namespace {
constexpr std::size_t kSurfaceMasksGrain = 128; // number of bricks per chunk

/// Returns whether the brick and the seven bricks above contain both inside and outside nodes.
bool mayBeCrossed(const Buffer<std::uint64_t>& inside, const std::uint32_t* around) {
    std::uint64_t some = 0, all = ~std::uint64_t{0};
    for (int slot = 0; slot < 8; ++slot) {
        const std::uint32_t brick = around[neighbourSlot(slot & 1, slot >> 1 & 1, slot >> 2)];
        if (brick == kNoBrick)
            continue;
        const std::uint64_t* words = &inside[std::size_t{brick} * kBrickEdge];
        for (int z = 0; z < (slot < 4 ? kBrickEdge : 1); ++z) {
            some |= words[z];
            all &= words[z];
        }
        if (some != 0 && ~all != 0)
            return true;
    }
    return false;
}
} // namespace

CellCases::CellCases(const Buffer<std::uint64_t>& inside, const std::uint32_t* neighbours) {
    for (int z = 0; z <= kBrickEdge; ++z)
        m_slices[static_cast<std::size_t>(z)] = nodesOfCells(inside, neighbours, z);
}

std::uint64_t CellCases::mixed(int z) const {
    const auto &lower = m_slices[static_cast<std::size_t>(z)],
               &upper = m_slices[static_cast<std::size_t>(z) + 1];
    return (any(lower) | any(upper)) & ~(all(lower) & all(upper));
}

namespace cpu {

namespace {
/// Returns the crossed edges of active cells that a brick owns.
EdgeMasks crossedEdges(const SurfaceMasks& masks, const std::uint32_t* neighbours) {
    std::array<CornerBits, kBrickEdge + 1> cells;
    std::uint64_t anyCell = 0;
    for (int z = -1; z < kBrickEdge; ++z) {
        auto& level = cells[static_cast<std::size_t>(z + 1)];
        level = cellsOfNodes(masks.active, neighbours, z);
        anyCell |= any(level);
    }
    EdgeMasks edges{};
    if (anyCell == 0)
        return edges;
    for (int z = 0; z < kBrickEdge; ++z) {
        const auto at = static_cast<std::size_t>(z);
        const std::uint64_t here = slice(masks.inside, neighbours, 0, 0, z);
        const std::uint64_t x = bits::fromAboveX(here, slice(masks.inside, neighbours, 1, 0, z));
        const std::uint64_t y = bits::fromAboveY(here, slice(masks.inside, neighbours, 0, 1, z));
        const std::uint64_t above = slice(masks.inside, neighbours, 0, 0, z + 1);
        const auto &below = cells[at], &level = cells[at + 1];
        edges[0][at] = (here ^ x) & (level[0] | level[2] | below[0] | below[2]);
        edges[1][at] = (here ^ y) & (level[0] | level[1] | below[0] | below[1]);
        edges[2][at] = (here ^ above) & any(level);
    }
    return edges;
}
} // namespace

SurfaceMasks classify(const ScalarField& field, float iso, std::span<const std::uint32_t> neighbours,
                      const SurfaceMemory& memory, const std::stop_token& stop) {
    const std::size_t bricks = field.brickCount();
    SurfaceMasks masks;
    masks.inside = Buffer<std::uint64_t>::host(bricks * kBrickEdge);
    masks.known = Buffer<std::uint64_t>::host(bricks * kBrickEdge);
    masks.active = Buffer<std::uint64_t>::host(bricks * kBrickEdge);
    masks.edges = Buffer<EdgeMasks>::host(bricks); // only some pages are written, and unwritten pages occupy
                                                   // no memory
    masks.vertices = Buffer<std::uint32_t>::host(bricks);
    masks.triangles = Buffer<std::uint32_t>::host(bricks);
    const SurfaceMasks* earlier = memory.earlier() ? &memory.earlier()->trace.masks : nullptr;
    const auto copyWords = [&](Buffer<std::uint64_t> SurfaceMasks::*words, std::size_t b) {
        std::copy_n(&(earlier->*words)[memory.before(b) * std::size_t{kBrickEdge}], kBrickEdge,
                    &(masks.*words)[b * kBrickEdge]);
    };
    parallelFor(bricks, kSurfaceMasksGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            if (memory.hasSameValues(b)) {
                copyWords(&SurfaceMasks::inside, b);
                copyWords(&SurfaceMasks::known, b);
            } else {
                nodeBits(&field.values[b * kBrickNodes], iso, field.insideBelow,
                         &masks.inside[b * kBrickEdge], &masks.known[b * kBrickEdge]);
            }
        }
    });
    const Buffer<std::uint64_t>& known = masks.known;
    masks.activeCells = parallelReduce(
        bricks, kSurfaceMasksGrain, stop, std::uint64_t{0},
        [&](std::size_t begin, std::size_t end) {
            std::uint64_t count = 0;
            for (std::size_t b = begin; b < end; ++b) {
                if (memory.hasSameAround(b)) {
                    copyWords(&SurfaceMasks::active, b);
                    masks.triangles[b] = earlier->triangles[memory.before(b)];
                    for (std::size_t z = 0; z < kBrickEdge; ++z)
                        count += std::uint64_t(std::popcount(masks.active[b * kBrickEdge + z]));
                    continue;
                }
                const std::uint32_t* around = &neighbours[b * kNeighbours];
                masks.triangles[b] = 0;
                if (!mayBeCrossed(masks.inside, around)) {
                    std::fill_n(&masks.active[b * kBrickEdge], kBrickEdge, std::uint64_t{0});
                    continue;
                }
                const CellCases cases(masks.inside, around);
                std::uint32_t triangles = 0;
                std::uint64_t knownBelow = all(nodesOfCells(known, around, 0));
                for (int z = 0; z < kBrickEdge; ++z) {
                    const std::uint64_t knownAbove = all(nodesOfCells(known, around, z + 1));
                    const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
                    const std::uint64_t active =
                        cases.mixed(z) & knownBelow & knownAbove & field.cellMask[word];
                    masks.active[word] = active;
                    for (std::uint64_t rest = active; rest != 0; rest &= rest - 1, ++count)
                        triangles += kCubeTables.triangleCount[cases.at(z, std::countr_zero(rest))];
                    knownBelow = knownAbove;
                }
                masks.triangles[b] = triangles;
            }
            return count;
        },
        [](std::uint64_t a, std::uint64_t b) { return a + b; });
    parallelFor(bricks, kSurfaceMasksGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            if (memory.hasSameAround(b)) {
                masks.vertices[b] = earlier->vertices[memory.before(b)];
                if (masks.vertices[b] > 0)
                    masks.edges[b] = earlier->edges[memory.before(b)];
                continue;
            }
            std::uint32_t count = 0;
            const std::uint32_t* around = &neighbours[b * kNeighbours];
            if (mayBeCrossed(masks.inside, around)) {
                const EdgeMasks edges = crossedEdges(masks, around);
                for (const auto& axis : edges)
                    for (const std::uint64_t word : axis)
                        count += static_cast<std::uint32_t>(std::popcount(word));
                if (count > 0)
                    masks.edges[b] = edges;
            }
            masks.vertices[b] = count;
        }
    });
    return masks;
}

} // namespace cpu
} // namespace scanloupe
