// Selects the cells that may contain surface of a signed distance, their nodes and bricks, on the CPU.
#include "kernels/field/distance/distance_cells.h"

#include "kernels/core/parallel.h"
#include "kernels/field/distance/distance_bits.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kDistanceCellsGrain = 512; // number of bricks per chunk

Buffer<std::uint64_t> occupiedBits(const VoxelBricks& voxels, const std::stop_token& stop) {
    auto occupied = Buffer<std::uint64_t>::host(voxels.keys.size() * kBrickEdge);
    parallelFor(voxels.keys.size(), kDistanceCellsGrain, stop, [&](std::size_t begin, std::size_t end) {
        std::fill(occupied.data() + begin * kBrickEdge, occupied.data() + end * kBrickEdge, std::uint64_t{0});
        for (std::size_t b = begin; b < end; ++b)
            for (std::uint32_t r = voxels.rowBegins[b]; r < voxels.rowBegins[b + 1]; ++r) {
                const VoxelRow& row = voxels.rows[r];
                occupied[b * kBrickEdge + row.row / kBrickEdge] |= std::uint64_t{row.mask}
                                                                   << kBrickEdge * (row.row % kBrickEdge);
            }
    });
    return occupied;
}

/// Computes the cells of one brick.
void brickCells(const Buffer<std::uint64_t>& occupied, const std::uint32_t* around, Vec3i cellsLeft,
                std::uint64_t* cells, std::uint64_t* withPoints) {
    std::array<Neighbours9, kBrickEdge + 2> slices;
    for (int z = -1; z <= kBrickEdge; ++z)
        slices[static_cast<std::size_t>(z + 1)] = neighbours9(occupied, around, z);
    for (std::size_t z = 0; z < kBrickEdge; ++z) {
        const std::uint64_t inGrid = bits::before(cellsLeft, static_cast<int>(z));
        cells[z] = cellsOfVoxels(slices[z], slices[z + 1], slices[z + 2]) & inGrid;
        withPoints[z] = slices[z + 1][4] & inGrid;
    }
}

/// Computes the corner nodes of the cells of the wanted bricks.
void setNodes(const Buffer<std::uint64_t>& cells, const Buffer<std::uint32_t>& around,
              const std::vector<std::uint8_t>& isWanted, Buffer<std::uint64_t>& nodes,
              const std::stop_token& stop) {
    parallelFor(cells.size() / kBrickEdge, kDistanceCellsGrain, stop,
                [&](std::size_t begin, std::size_t end) {
                    for (std::size_t b = begin; b < end; ++b) {
                        if (!isWanted[b])
                            continue;
                        std::uint64_t below = any(cellsOfNodes(cells, &around[b * kNeighbours], -1));
                        for (int z = 0; z < kBrickEdge; ++z) {
                            const std::uint64_t level = any(cellsOfNodes(cells, &around[b * kNeighbours], z));
                            nodes[b * kBrickEdge + static_cast<std::size_t>(z)] = level | below;
                            below = level;
                        }
                    }
                });
}

/// Returns the cells of the wanted bricks, and the candidate cells that closePinholes may add.
Buffer<std::uint64_t>
cellsWithPinholeCandidates(const Buffer<std::uint64_t>& cells, const Buffer<std::uint64_t>& keys,
                           const Buffer<std::uint32_t>& around, const std::vector<std::uint8_t>& isWanted,
                           const VoxelBricks& voxels, Vec3i gridDims, const std::stop_token& stop) {
    auto more = Buffer<std::uint64_t>::host(cells.size());
    parallelFor(keys.size(), kDistanceCellsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            if (!isWanted[b])
                continue;
            const Vec3i left = gridDims - brickOf(keys[b], voxels.brickDims) * kBrickEdge;
            for (int z = 0; z < kBrickEdge; ++z)
                more[b * kBrickEdge + static_cast<std::size_t>(z)] =
                    withPinholeCandidates(cells, &around[b * kNeighbours], z) & bits::before(left, z);
        }
    });
    return more;
}

/// Returns the marked bricks and all their neighbours.
std::vector<std::uint8_t> grown(const std::vector<std::uint8_t>& marks, const Buffer<std::uint32_t>& around,
                                const std::stop_token& stop) {
    std::vector<std::uint8_t> result(marks.size());
    parallelFor(marks.size(), kDistanceCellsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const std::uint32_t* mine = &around[b * kNeighbours];
            result[b] = std::any_of(mine, mine + kNeighbours,
                                    [&](std::uint32_t other) { return other != kNoBrick && marks[other]; });
        }
    });
    return result;
}

/// Marks the bricks whose cells are selected from scratch: those at most one brick away from a change.
std::vector<std::uint8_t> changedBricks(const Buffer<std::uint64_t>& keys, Vec3i brickDims,
                                        const PreviousCells* earlier) {
    std::vector<std::uint8_t> marks(keys.size(), earlier ? 0 : 1);
    if (earlier)
        for (const std::uint64_t key : earlier->changed)
            forBricksAround(key, brickDims, keys.span(), [&](std::size_t b) { marks[b] = 1; });
    return marks;
}

/// Copies the words of all bricks that are not marked; bricks without previous words get 0.
void takeWords(const Buffer<std::uint64_t>& then, const std::vector<std::uint32_t>& before,
               const std::vector<std::uint8_t>& marks, Buffer<std::uint64_t>& words) {
    for (std::size_t b = 0; b < marks.size(); ++b) {
        if (marks[b])
            continue;
        std::uint64_t* to = &words[b * kBrickEdge];
        if (before[b] == kNoBrick)
            std::fill_n(to, kBrickEdge, std::uint64_t{0});
        else
            std::copy_n(&then[before[b] * std::size_t{kBrickEdge}], kBrickEdge, to);
    }
}
} // namespace

DistanceCells distanceCells(const VoxelBricks& voxels, Vec3i gridDims, const PreviousCells* earlier,
                            const std::stop_token& stop) {
    // The field reaches two voxels to each side of an occupied voxel: one for cells that close gaps, and one
    // for pinholes. The upper nodes of these cells add a third voxel above.
    const auto keys = bricksInReach(voxels, {2, 2, 2}, {3, 3, 3}, stop);
    auto cells = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    auto withPoints = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    auto nodes = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    const auto around = findNeighbours(keys.span(), keys.span(), voxels.brickDims, stop);
    const auto newCells = changedBricks(keys, voxels.brickDims, earlier);
    const auto newNodes = earlier ? grown(grown(newCells, around, stop), around, stop) : newCells;
    const auto nearNodes = earlier ? grown(newNodes, around, stop) : newCells;
    if (earlier) {
        const auto before = matchedBricks(keys.span(), earlier->cells.keys.span());
        takeWords(earlier->cells.cells, before, newCells, cells);
        takeWords(earlier->cells.occupied, before, newCells, withPoints);
        takeWords(earlier->cells.nodes, before, newNodes, nodes);
    }
    std::vector<std::uint64_t> newKeys;
    std::vector<std::size_t> newBricks;
    for (std::size_t b = 0; b < keys.size(); ++b)
        if (newCells[b]) {
            newKeys.push_back(keys[b]);
            newBricks.push_back(b);
        }
    {
        const auto occupied = occupiedBits(voxels, stop);
        const auto voxelsAround = findNeighbours(newKeys, voxels.keys.span(), voxels.brickDims, stop);
        parallelFor(newKeys.size(), 16, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i)
                brickCells(occupied, &voxelsAround[i * kNeighbours],
                           gridDims - brickOf(newKeys[i], voxels.brickDims) * kBrickEdge,
                           &cells[newBricks[i] * kBrickEdge], &withPoints[newBricks[i] * kBrickEdge]);
        });
    }
    setNodes(cellsWithPinholeCandidates(cells, keys, around, nearNodes, voxels, gridDims, stop), around,
             newNodes, nodes, stop);
    const auto needed = [&](std::size_t b) {
        const auto mine = nodes.span().subspan(b * kBrickEdge, kBrickEdge);
        return std::any_of(mine.begin(), mine.end(), [](std::uint64_t word) { return word != 0; });
    };
    std::size_t count = 0;
    for (std::size_t b = 0; b < keys.size(); ++b)
        count += needed(b);
    const auto words = [&] { return Buffer<std::uint64_t>::host(count * kBrickEdge); };
    DistanceCells result{Buffer<std::uint64_t>::host(count), words(), words(), words()};
    for (std::size_t b = 0, next = 0; b < keys.size(); ++b) {
        if (!needed(b))
            continue;
        result.keys[next] = keys[b];
        std::copy_n(&cells[b * kBrickEdge], kBrickEdge, &result.cells[next * kBrickEdge]);
        std::copy_n(&withPoints[b * kBrickEdge], kBrickEdge, &result.occupied[next * kBrickEdge]);
        std::copy_n(&nodes[b * kBrickEdge], kBrickEdge, &result.nodes[next * kBrickEdge]);
        ++next;
    }
    return result;
}

} // namespace scanloupe::cpu
