#include "kernels/field/distance_cells.h"

#include "kernels/core/parallel.h"
#include "kernels/field/brick_slices.h"

#include <algorithm>
#include <vector>

namespace scanloupe::cpu {

namespace {
constexpr std::size_t kGrain = 512; // bricks

Buffer<std::uint64_t> occupiedBits(const VoxelBricks& voxels, const std::stop_token& stop) {
    auto occupied = Buffer<std::uint64_t>::host(voxels.keys.size() * kBrickEdge);
    parallelFor(voxels.keys.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
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

/// For each place around a voxel, the later places that lie against it.
struct OppositePlaces {
    std::array<std::array<std::uint8_t, 27>, 27> places{};
    std::array<std::uint8_t, 27> counts{};
};
/// Whether a place shares a face with the middle.
constexpr bool isFace(int place) {
    return (place % 3 == 1) + (place / 3 % 3 == 1) + (place / 9 == 1) == 2;
}
/// All such pairs, or those of which one place shares a face with the middle.
constexpr OppositePlaces oppositePlaces(bool withFace) {
    OppositePlaces result;
    for (int p = 0; p < 27; ++p)
        for (int q = p + 1; q < 27; ++q) {
            const int product =
                (p % 3 - 1) * (q % 3 - 1) + (p / 3 % 3 - 1) * (q / 3 % 3 - 1) + (p / 9 - 1) * (q / 9 - 1);
            const auto at = static_cast<std::size_t>(p);
            if (product < 0 && (!withFace || isFace(p) || isFace(q)))
                result.places[at][result.counts[at]++] = static_cast<std::uint8_t>(q);
        }
    return result;
}
/// Voxels that lie between two occupied places; `place(p)` are the bits at place p.
template <class Place>
std::uint64_t between(const OppositePlaces& opposite, Place&& place) {
    std::uint64_t result = 0;
    for (std::size_t p = 0; p < 27; ++p) {
        const std::uint64_t here = place(p);
        if (here == 0)
            continue;
        std::uint64_t against = 0;
        for (std::size_t i = 0; i < opposite.counts[p]; ++i)
            against |= place(opposite.places[p][i]);
        result |= here & against;
    }
    return result;
}

/// For a slice, the bits at the nine places (x + dx, y + dy) around each voxel.
using NinePlaces = std::array<std::uint64_t, 9>;
NinePlaces ninePlaces(const Buffer<std::uint64_t>& words, const std::uint32_t* around, int z) {
    std::array<std::array<std::uint64_t, 3>, 3> moved; // [brick along y][dx]
    for (int dy = -1; dy <= 1; ++dy) {
        const std::uint64_t here = slice(words, around, 0, dy, z);
        moved[static_cast<std::size_t>(dy + 1)] = {bits::fromBelowX(here, slice(words, around, -1, dy, z)),
                                                   here,
                                                   bits::fromAboveX(here, slice(words, around, 1, dy, z))};
    }
    NinePlaces result;
    for (std::size_t dx = 0; dx < 3; ++dx) {
        result[dx] = bits::fromBelowY(moved[1][dx], moved[0][dx]);
        result[3 + dx] = moved[1][dx];
        result[6 + dx] = bits::fromAboveY(moved[1][dx], moved[2][dx]);
    }
    return result;
}

/// Cells that lie in the grid.
std::uint64_t sliceInGrid(Vec3i cellsLeft, int z) {
    return z < cellsLeft.z ? bits::columns(0, std::clamp(cellsLeft.x, 0, kBrickEdge)) &
                                 bits::rows(0, std::clamp(cellsLeft.y, 0, kBrickEdge))
                           : 0;
}

/// 64 counters, digit by digit; from 8 on they only know that much.
struct BitCounters {
    std::uint64_t ones = 0, twos = 0, fours = 0, eights = 0;

    void add(std::uint64_t word) {
        std::uint64_t carry = ones & word;
        ones ^= word;
        const std::uint64_t next = twos & carry;
        twos ^= carry;
        carry = fours & next;
        fours ^= next;
        eights |= carry;
    }
    std::uint64_t atLeastTwo() const { return eights | fours | twos; }
    std::uint64_t atLeastFour() const { return eights | fours; }
    std::uint64_t atLeastEight() const { return eights; }
};

/// The cells of one brick.
void brickCells(const Buffer<std::uint64_t>& occupied, const std::uint32_t* around, Vec3i cellsLeft,
                std::uint64_t* cells, std::uint64_t* withPoints) {
    static constexpr OppositePlaces across = oppositePlaces(true), around26 = oppositePlaces(false);
    std::array<NinePlaces, kBrickEdge + 2> slices;
    for (int z = -1; z <= kBrickEdge; ++z)
        slices[static_cast<std::size_t>(z + 1)] = ninePlaces(occupied, around, z);
    for (std::size_t z = 0; z < kBrickEdge; ++z) {
        const auto place = [&](std::size_t p) { return slices[z + p / 9][p % 9]; };
        BitCounters occupiedAround;
        for (std::size_t p = 0; p < 27; ++p)
            occupiedAround.add(place(p));
        const std::uint64_t gaps = between(across, place) & occupiedAround.atLeastFour();
        const std::uint64_t layers = between(around26, place) & occupiedAround.atLeastEight();
        const std::uint64_t inGrid = sliceInGrid(cellsLeft, static_cast<int>(z));
        cells[z] = (place(13) | gaps | layers) & inGrid;
        withPoints[z] = place(13) & inGrid;
    }
}

/// Corners of the cells.
Buffer<std::uint64_t> nodesOf(const Buffer<std::uint64_t>& cells, const Buffer<std::uint32_t>& around,
                              const std::stop_token& stop) {
    auto nodes = Buffer<std::uint64_t>::host(cells.size());
    parallelFor(cells.size() / kBrickEdge, kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            std::uint64_t below = any(cellsOfNodes(cells, &around[b * kNeighbours], -1));
            for (int z = 0; z < kBrickEdge; ++z) {
                const std::uint64_t level = any(cellsOfNodes(cells, &around[b * kNeighbours], z));
                nodes[b * kBrickEdge + static_cast<std::size_t>(z)] = level | below;
                below = level;
            }
        }
    });
    return nodes;
}

/// The cells themselves, and empty ones beside two of them.
Buffer<std::uint64_t> withPinholes(const Buffer<std::uint64_t>& cells, const Buffer<std::uint64_t>& keys,
                                   const Buffer<std::uint32_t>& around, const VoxelBricks& voxels,
                                   Vec3i gridDims, const std::stop_token& stop) {
    auto more = Buffer<std::uint64_t>::host(cells.size());
    parallelFor(keys.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end; ++b) {
            const Vec3i left = gridDims - brickOf(keys[b], voxels.brickDims) * kBrickEdge;
            for (int z = 0; z < kBrickEdge; ++z) {
                const std::size_t word = b * kBrickEdge + static_cast<std::size_t>(z);
                const auto beside = cellsBeside(cells, &around[b * kNeighbours], z);
                BitCounters count; // such that lie in a hole, not past a rim
                for (const std::uint64_t side : beside)
                    count.add(side);
                more[word] = cells[word] | (count.atLeastTwo() & sliceInGrid(left, z));
            }
        }
    });
    return more;
}
} // namespace

DistanceCells distanceCells(const VoxelBricks& voxels, Vec3i gridDims, const std::stop_token& stop) {
    // cells reach one voxel to each side and pinholes another, and nodes one more to the upper side
    const auto keys = bricksInReach(voxels, {2, 2, 2}, {3, 3, 3}, stop);
    auto cells = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    auto withPoints = Buffer<std::uint64_t>::host(keys.size() * kBrickEdge);
    {
        const auto occupied = occupiedBits(voxels, stop);
        const auto around = findNeighbours(keys.span(), voxels.keys.span(), voxels.brickDims, stop);
        parallelFor(keys.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
            for (std::size_t b = begin; b < end; ++b)
                brickCells(occupied, &around[b * kNeighbours],
                           gridDims - brickOf(keys[b], voxels.brickDims) * kBrickEdge, &cells[b * kBrickEdge],
                           &withPoints[b * kBrickEdge]);
        });
    }
    const auto around = findNeighbours(keys.span(), keys.span(), voxels.brickDims, stop);
    const auto nodes = nodesOf(withPinholes(cells, keys, around, voxels, gridDims, stop), around, stop);
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
