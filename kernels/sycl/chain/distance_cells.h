#pragma once
// Selects the cells that may contain surface of the signed distance for SYCL, with one work-item per slice of
// 64 cells: like kernels/field/distance/distance_cells.h, but indexed by all bricks within reach of voxels,
// some of which have no such cells.
#include "kernels/field/distance/distance_bits.h"
#include "kernels/field/distance/reversed_element.h"
#include "kernels/sycl/chain/surfels.h"

#include <cstdint>

namespace scanloupe::sycl_chain {

/// Result of findCells(). All arrays except `list` are [B, 8] for the B bricks that are examined.
template <class Q>
struct FieldCells {
    DeviceArray<std::uint64_t, Q> cells;    ///< cells that contain surface even without closePinholes
    DeviceArray<std::uint64_t, Q> occupied; ///< those cells of `cells` that contain points
    DeviceArray<std::uint64_t, Q> nodes;    ///< corners of `cells`, and of cells that closePinholes may add
    DeviceArray<std::uint32_t, Q> list;     ///< indices of the bricks that contain such nodes; these are the
                                            ///< bricks of the field
};

/// A slice of a brick.
struct BrickSlice {
    std::size_t word; ///< index of the slice's word in [B, 8]
    std::size_t brick;
    int z;
    const std::uint32_t* around;

    HD BrickSlice(const BricksView& bricks, std::size_t w)
        : word(w), brick(w / kBrickEdge), z(int(w % kBrickEdge)),
          around(bricks.around + w / kBrickEdge * kNeighbours) {}
    HD std::uint64_t inGrid(const BricksView& bricks, Vec3i gridDims) const {
        return bits::before(gridDims - bricks.firstNode(brick), z);
    }
};

/// Same as cpu::distanceCells. @note Synchronizes.
template <class Q>
FieldCells<Q> findCells(Q& q, const BricksView& bricks, Vec3i gridDims) {
    const std::size_t slices = bricks.count * kBrickEdge;
    FieldCells<Q> found{{q, slices}, {q, slices}, {q, slices}, {q, 0}};
    const DeviceArray<std::uint64_t, Q> withCandidates(q, slices);
    const DeviceArray<std::uint32_t, Q> kept(q, bricks.count), total(q, 1);
    std::uint64_t *const cells = found.cells.data(), *const occupied = found.occupied.data();
    std::uint64_t *const nodes = found.nodes.data(), *const more = withCandidates.data();
    std::uint32_t* const place = kept.data();
    q.forEach(slices, [=](std::size_t word) {
        const BrickSlice slice(bricks, word);
        const Neighbours9 here = neighbours9(bricks.occupied, slice.around, slice.z);
        const std::uint64_t inGrid = slice.inGrid(bricks, gridDims);
        cells[word] = cellsOfVoxels(neighbours9(bricks.occupied, slice.around, slice.z - 1), here,
                                    neighbours9(bricks.occupied, slice.around, slice.z + 1)) &
                      inGrid;
        occupied[word] = here[4] & inGrid;
    });
    q.forEach(slices, [=](std::size_t word) {
        const BrickSlice slice(bricks, word);
        more[word] = withPinholeCandidates(cells, slice.around, slice.z) & slice.inGrid(bricks, gridDims);
    });
    kept.clear();
    q.forEach(slices, [=](std::size_t word) {
        const BrickSlice slice(bricks, word);
        nodes[word] = any(cellsOfNodes(more, slice.around, slice.z - 1)) |
                      any(cellsOfNodes(more, slice.around, slice.z));
        if (nodes[word] != 0)
            Q::set(place + slice.brick, 1u);
    });
    exclusiveScan(q, place, bricks.count, total.data());
    const std::uint32_t count = total.read(0);
    found.list = DeviceArray<std::uint32_t, Q>(q, count);
    std::uint32_t* const list = found.list.data();
    q.forEach(bricks.count, [=](std::size_t brick) {
        const std::uint32_t next = brick + 1 < bricks.count ? place[brick + 1] : count;
        if (place[brick] != next)
            list[place[brick]] = std::uint32_t(brick);
    });
    return found;
}

/// Bits of nodes, [B, 8]: `known` nodes have a value; `inside` nodes are also inside.
template <class Q>
struct NodeBits {
    DeviceArray<std::uint64_t, Q> known, inside;
};

/// Same as cpu::closePinholes. @param cellMask [kept bricks, 8] output @note Synchronizes several times.
template <class Q>
void closePinholes(Q& q, const BricksView& bricks, const FieldCells<Q>& found, const NodeBits<Q>& nodes,
                   std::uint64_t* cellMask) {
    /// Words that other work-items change concurrently.
    struct SharedWords {
        std::uint64_t* words;
        std::uint64_t operator[](std::size_t i) const { return Q::load(words + i); }
    };
    constexpr int roundsPerReadback = 4;
    const std::size_t slices = bricks.count * kBrickEdge;
    const DeviceArray<std::uint64_t, Q> owned(q, slices);
    const DeviceArray<std::uint32_t, Q> changes(q, 1);
    const SharedWords closed{owned.data()}; // cells with surface, and added cells
    const std::uint64_t *const cells = found.cells.data(), *const occupied = found.occupied.data();
    const std::uint64_t *const known = nodes.known.data(), *const inside = nodes.inside.data();
    const std::uint32_t* const list = found.list.data();
    std::uint32_t* const changed = changes.data();
    // Adds the candidates that the surface crosses; other candidates would be removed immediately.
    q.forEach(slices, [=](std::size_t word) {
        const BrickSlice slice(bricks, word);
        std::uint64_t added = all(nodesOfCells(known, slice.around, slice.z)) &
                              all(nodesOfCells(known, slice.around, slice.z + 1)) & ~cells[word];
        if (added != 0)
            added &= surfaceEnds(crossedFaces(inside, slice.around, slice.z), {}).crossed;
        closed.words[word] = cells[word] | added;
    });
    // Removes added cells at which the surface would end, until nothing changes. The largest consistent set
    // does not depend on the order of removal.
    for (bool more = true; more;) {
        for (int round = 0; round < roundsPerReadback; ++round) {
            changes.clear();
            q.forEach(slices, [=](std::size_t word) {
                const std::uint64_t now = closed[word];
                std::uint64_t added = now & ~cells[word];
                if (added == 0)
                    return;
                const BrickSlice slice(bricks, word);
                const CellFaces crossed = crossedFaces(inside, slice.around, slice.z);
                for (;;) { // also removes cells of the slice that depended on removed ones
                    const std::uint64_t open =
                        added & surfaceEnds(crossed, faceNeighbours(closed, slice.around, slice.z)).open;
                    if (open == 0)
                        break;
                    added &= ~open;
                    Q::set(closed.words + word, cells[word] | added);
                    Q::set(changed, 1u);
                }
            });
        }
        more = changes.read(0) > 0;
        q.throwIfStopped();
    }
    // Finally removes the cells without points at the rim of the surface, in one pass.
    q.forEach(found.list.size() * kBrickEdge, [=](std::size_t i) {
        const BrickSlice slice(bricks, std::size_t{list[i / kBrickEdge]} * kBrickEdge + i % kBrickEdge);
        std::uint64_t mask = closed[slice.word];
        const std::uint64_t empty = mask & ~occupied[slice.word];
        if (empty != 0)
            mask &= ~(empty & surfaceEnds(crossedFaces(inside, slice.around, slice.z),
                                          faceNeighbours(closed, slice.around, slice.z))
                                  .open);
        cellMask[i] = mask;
    });
}

/// Same as cpu::removeReversedCells, from `cellMask` [kept bricks, 8]. Asynchronous.
/// @param places [B] index of each kept brick in the field @param values [kept bricks, 512]
/// @param places [B] of the kept bricks, in the field @param values [kept bricks, 512]
template <class Q>
void removeReversedCells(Q& q, const BricksView& bricks, const FieldCells<Q>& found, const NodeBits<Q>& nodes,
                         const std::uint32_t* places, const Surfel* normals, const float* values, Vec3f edge,
                         std::uint64_t* cellMask) {
    const Vec3f inverse{1 / edge.x, 1 / edge.y, 1 / edge.z};
    const std::uint64_t *const known = nodes.known.data(), *const inside = nodes.inside.data();
    const std::uint32_t* const list = found.list.data();
    q.forEach(found.list.size() * kBrickEdge, [=](std::size_t i) {
        const BrickSlice slice(bricks, std::size_t{list[i / kBrickEdge]} * kBrickEdge + i % kBrickEdge);
        const CornerBits lower = nodesOfCells(inside, slice.around, slice.z),
                         upper = nodesOfCells(inside, slice.around, slice.z + 1);
        std::uint64_t crossed = cellMask[i] & all(nodesOfCells(known, slice.around, slice.z)) &
                                all(nodesOfCells(known, slice.around, slice.z + 1)) &
                                (any(lower) | any(upper)) & ~(all(lower) & all(upper));
        const auto addNormals = [&](Vec3i at, std::uint32_t window, Vec3f& sum) {
            VoxelRun run = bricks.row(slice.brick, at.y, at.z).within(at.x, window);
            for (int n = run.count(); n > 0; --n)
                sum = sum + normals[run.first++].normal;
            return run.bits != 0;
        };
        for (; crossed != 0; crossed &= crossed - 1) {
            const int bit = std::countr_zero(crossed);
            const Vec3i cell{bit % kBrickEdge, bit / kBrickEdge, slice.z};
            float corners[8];
            for (int c = 0; c < 8; ++c) {
                const Vec3i node = cell + Vec3i{c & 1, c >> 1 & 1, c >> 2};
                const std::uint32_t holder =
                    places[slice.around[neighbourSlot(node.x >> 3, node.y >> 3, node.z >> 3)]];
                corners[c] = values[std::size_t{holder} * kBrickNodes +
                                    std::size_t(((node.z & 7) * kBrickEdge + (node.y & 7)) * kBrickEdge +
                                                (node.x & 7))];
            }
            Vec3f normal; // normal of the cell's voxel; for an empty cell, the sum of the normals around it
            if (!addNormals(cell, 1u, normal))
                for (int dz = -1; dz <= 1; ++dz)
                    for (int dy = -1; dy <= 1; ++dy)
                        addNormals(cell + Vec3i{-1, dy, dz}, 7u, normal);
            if (isReversed(cellSlope(corners, inverse), normal))
                cellMask[i] &= ~(std::uint64_t{1} << bit);
        }
    });
}

} // namespace scanloupe::sycl_chain
