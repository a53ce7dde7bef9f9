#pragma once
// Reads slices of bits across brick borders, for both backends. `words` [B, 8] is a pointer or a host buffer.
#include "kernels/field/core/brick_bits.h"
#include "kernels/field/core/brick_neighbours.h"

#include <array>

namespace scanloupe {

/// Four slices of bits, one for each corner (0, 0), (1, 0), (0, 1), (1, 1) of a square.
using CornerBits = std::array<std::uint64_t, 4>;

HD inline std::uint64_t all(const CornerBits& corners) {
    return corners[0] & corners[1] & corners[2] & corners[3];
}
HD inline std::uint64_t any(const CornerBits& corners) {
    return corners[0] | corners[1] | corners[2] | corners[3];
}

/// Returns, for each cell of a slice, the bits of its four corner nodes in one slice of nodes. `x`, `y`,
/// `xy`: the same slice of the bricks above along these axes.
HD inline CornerBits cornersAbove(std::uint64_t here, std::uint64_t x, std::uint64_t y, std::uint64_t xy) {
    return {here, bits::fromAboveX(here, x), bits::fromAboveY(here, y),
            bits::fromAboveX(bits::fromAboveY(here, y), bits::fromAboveY(x, xy))};
}
/// Returns, for each node of a slice, the bits of the four cells around it in one slice of cells: the cell at
/// the node, and the previous cells along x, along y and along both. `x`, `y`, `xy`: the same slice of the
/// bricks below along these axes.
HD inline CornerBits cornersBelow(std::uint64_t here, std::uint64_t x, std::uint64_t y, std::uint64_t xy) {
    return {here, bits::fromBelowX(here, x), bits::fromBelowY(here, y),
            bits::fromBelowX(bits::fromBelowY(here, y), bits::fromBelowY(x, xy))};
}

/// Returns slice z, -1 to 8, of the brick at offset (dx, dy) from the centre of the 27 `neighbours`; 0 if
/// that brick does not exist.
template <class Words>
HD inline std::uint64_t slice(const Words& words, const std::uint32_t* neighbours, int dx, int dy, int z) {
    const int dz = z < 0 ? -1 : z >= kBrickEdge ? 1 : 0;
    const std::uint32_t brick = neighbours[neighbourSlot(dx, dy, dz)];
    const bool there = brick != kNoBrick; // branchless, so that a GPU can issue many loads concurrently
    const std::uint64_t word =
        words[there ? std::size_t{brick} * kBrickEdge + static_cast<std::size_t>(z & (kBrickEdge - 1)) : 0];
    return there ? word : 0;
}

/// Returns, for each cell of slice z, the bits of its four lower corner nodes.
template <class Words>
HD inline CornerBits nodesOfCells(const Words& words, const std::uint32_t* neighbours, int z) {
    return cornersAbove(slice(words, neighbours, 0, 0, z), slice(words, neighbours, 1, 0, z),
                        slice(words, neighbours, 0, 1, z), slice(words, neighbours, 1, 1, z));
}

/// Returns, for each node, the bits of the four cells around it in slice z.
template <class Words>
HD inline CornerBits cellsOfNodes(const Words& words, const std::uint32_t* neighbours, int z) {
    return cornersBelow(slice(words, neighbours, 0, 0, z), slice(words, neighbours, -1, 0, z),
                        slice(words, neighbours, 0, -1, z), slice(words, neighbours, -1, -1, z));
}

/// Returns, for each position of slice z, 0 to 7, the bits of its six face neighbours: at x - 1, x + 1, y -
/// 1, y + 1, z - 1, z + 1.
template <class Words>
HD inline std::array<std::uint64_t, 6> faceNeighbours(const Words& words, const std::uint32_t* around,
                                                      int z) {
    const std::uint64_t here = slice(words, around, 0, 0, z);
    return {bits::fromBelowX(here, slice(words, around, -1, 0, z)),
            bits::fromAboveX(here, slice(words, around, 1, 0, z)),
            bits::fromBelowY(here, slice(words, around, 0, -1, z)),
            bits::fromAboveY(here, slice(words, around, 0, 1, z)),
            slice(words, around, 0, 0, z - 1),
            slice(words, around, 0, 0, z + 1)};
}

} // namespace scanloupe
