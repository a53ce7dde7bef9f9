#pragma once
// Selects the cells of a slice that may contain surface of a signed distance, 64 cells at a time, for both
// backends. distanceCells() and closePinholes() document the conditions.
#include "kernels/field/core/brick_slices.h"

#include <utility>

namespace scanloupe {

/// For each voxel of a slice, the bits at the nine positions (x + dx, y + dy) around it.
using Neighbours9 = std::array<std::uint64_t, 9>;
template <class Words>
HD inline Neighbours9 neighbours9(const Words& words, const std::uint32_t* around, int z) {
    std::uint64_t moved[3][3]; // slices of the bricks at -1, 0, 1 along y, each shifted by dx along x
    for (int dy = -1; dy <= 1; ++dy) {
        const std::uint64_t here = slice(words, around, 0, dy, z);
        moved[dy + 1][0] = bits::fromBelowX(here, slice(words, around, -1, dy, z));
        moved[dy + 1][1] = here;
        moved[dy + 1][2] = bits::fromAboveX(here, slice(words, around, 1, dy, z));
    }
    Neighbours9 result;
    for (std::size_t dx = 0; dx < 3; ++dx) {
        result[dx] = bits::fromBelowY(moved[1][dx], moved[0][dx]);
        result[3 + dx] = moved[1][dx];
        result[6 + dx] = bits::fromAboveY(moved[1][dx], moved[2][dx]);
    }
    return result;
}

/// 64 bit-sliced counters, one per bit of a word; they count up to 7, and above that only record that 8 was
/// reached.
struct BitCounters {
    std::uint64_t ones = 0, twos = 0, fours = 0, eights = 0;

    HD void add(std::uint64_t word) {
        std::uint64_t carry = ones & word;
        ones ^= word;
        const std::uint64_t next = twos & carry;
        twos ^= carry;
        carry = fours & next;
        fours ^= next;
        eights |= carry;
    }
    HD std::uint64_t atLeastTwo() const { return eights | fours | twos; }
    HD std::uint64_t atLeastFour() const { return eights | fours; }
    HD std::uint64_t atLeastEight() const { return eights; }
};

/// For each voxel of a slice, the bits at the 27 positions around it, in the slice below, its own slice and
/// the slice above.
using Neighbours27 = std::array<std::uint64_t, 27>;

namespace detail {
/// Returns whether a position shares a face with the centre.
constexpr bool isFaceNeighbour(int place) {
    return (place % 3 == 1) + (place / 3 % 3 == 1) + (place / 9 == 1) == 2;
}
/// Returns whether position q comes after p and is on the opposite side, dot(p, q) < 0. With `withFace`, p or
/// q must also share a face with the centre.
constexpr bool liesOpposite(bool withFace, int p, int q) {
    const int product =
        (p % 3 - 1) * (q % 3 - 1) + (p / 3 % 3 - 1) * (q / 3 % 3 - 1) + (p / 9 - 1) * (q / 9 - 1);
    return q > p && product < 0 && (!withFace || isFaceNeighbour(p) || isFaceNeighbour(q));
}
// templates instead of loops, so that compilers keep the 27 words in registers
template <bool WithFace, std::size_t P, std::size_t... Q>
HD inline std::uint64_t betweenNeighbour(const Neighbours27& neighbours, std::index_sequence<Q...>) {
    if (neighbours[P] == 0)
        return 0;
    return neighbours[P] &
           ((liesOpposite(WithFace, static_cast<int>(P), static_cast<int>(Q)) ? neighbours[Q] : 0) | ...);
}
template <bool WithFace, std::size_t... P>
HD inline std::uint64_t betweenNeighbours(const Neighbours27& neighbours, std::index_sequence<P...> all) {
    return (betweenNeighbour<WithFace, P>(neighbours, all) | ...);
}
} // namespace detail

/// Returns the voxels that are between two occupied positions on opposite sides. With `WithFace`, one of the
/// two must share a face with the voxel.
template <bool WithFace>
HD inline std::uint64_t between(const Neighbours27& neighbours) {
    return detail::betweenNeighbours<WithFace>(neighbours, std::make_index_sequence<27>{});
}

/// Returns the cells of a slice that may contain surface, including cells outside the grid.
HD inline std::uint64_t cellsOfVoxels(const Neighbours9& below, const Neighbours9& here,
                                      const Neighbours9& above) {
    Neighbours27 neighbours;
    for (std::size_t i = 0; i < 9; ++i) {
        neighbours[i] = below[i];
        neighbours[9 + i] = here[i];
        neighbours[18 + i] = above[i];
    }
    BitCounters occupied;
    for (const std::uint64_t place : neighbours)
        occupied.add(place);
    const std::uint64_t gaps = between<true>(neighbours) & occupied.atLeastFour();
    const std::uint64_t layers = between<false>(neighbours) & occupied.atLeastEight();
    return here[4] | gaps | layers;
}

/// Returns the cells of slice z, and those empty cells that share faces with at least two cells: these may be
/// in a hole rather than beyond a rim. Cells outside the grid are included.
template <class Words>
HD inline std::uint64_t withPinholeCandidates(const Words& cells, const std::uint32_t* around, int z) {
    BitCounters count;
    for (const std::uint64_t side : faceNeighbours(cells, around, z))
        count.add(side);
    return slice(cells, around, 0, 0, z) | count.atLeastTwo();
}

/// For each cell of a slice, whether the surface crosses its faces at x, x + 1, y, y + 1, z, z + 1.
using CellFaces = std::array<std::uint64_t, 6>;
HD inline CellFaces crossedFaces(const CornerBits& lower, const CornerBits& upper) {
    const auto crossed = [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
        return (a | b | c | d) & ~(a & b & c & d);
    };
    return {crossed(lower[0], lower[2], upper[0], upper[2]), crossed(lower[1], lower[3], upper[1], upper[3]),
            crossed(lower[0], lower[1], upper[0], upper[1]), crossed(lower[2], lower[3], upper[2], upper[3]),
            crossed(lower[0], lower[1], lower[2], lower[3]), crossed(upper[0], upper[1], upper[2], upper[3])};
}
template <class Words>
HD inline CellFaces crossedFaces(const Words& inside, const std::uint32_t* around, int z) {
    return crossedFaces(nodesOfCells(inside, around, z), nodesOfCells(inside, around, z + 1));
}

/// Two sets of cells. `crossed`: the surface crosses a face of the cell. `open`: the surface crosses a face
/// to a cell without surface, so it would end there.
struct SurfaceEnds {
    std::uint64_t crossed = 0, open = 0;
};
/// Returns the crossed and the open cells. @param adjacent for each face of a cell, whether the cell on the
/// other side has surface
HD inline SurfaceEnds surfaceEnds(const CellFaces& crossed, const CellFaces& adjacent) {
    SurfaceEnds ends;
    for (std::size_t i = 0; i < crossed.size(); ++i) {
        ends.crossed |= crossed[i];
        ends.open |= crossed[i] & ~adjacent[i];
    }
    return ends;
}

} // namespace scanloupe
