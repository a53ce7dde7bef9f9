#pragma once
// Defines how the triangles of a brick refer to their vertices in a part of a surface, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_neighbours.h"

#include <cstdint>

namespace scanloupe {

/// Number of bits of a vertex's number within its brick, which has at most 3 * 512 vertices.
inline constexpr int kPartNumberBits = 11;
/// Number of bricks that may own vertices of a brick's triangles: the bricks at offsets of 0 or 1 along x, y
/// and z. The offsets are the bits of the index of such a brick.
inline constexpr unsigned kCornerBricks = 8;
/// Marks a brick that the part does not own, in place of the number of its first vertex in the part.
inline constexpr std::uint32_t kNotOwn = 0xffffffffu;

/// The bricks of a whole surface, and where their vertices are in a part.
struct PartBricks {
    const std::uint64_t* keys;        ///< [A] ascending brick keys
    const std::uint32_t* firstVertex; ///< [A + 1] number of each brick's first vertex in the whole surface
    const std::uint32_t* firstInPart; ///< [A] number of each brick's first vertex in the part; kNotOwn if the
                                      ///< part does not own the brick
    std::uint32_t count;              ///< number A of bricks
    Vec3i dims;                       ///< dimensions of the whole lattice, in bricks
};

/// A brick that may own vertices of an adjacent brick's triangles.
struct CornerBrick {
    /// range of its vertices in the whole surface; empty if the brick does not exist
    std::uint32_t firstVertex = 0, endVertex = 0;
    std::uint32_t firstInPart = kNotOwn;

    HD bool owns(std::uint32_t vertex) const { return vertex >= firstVertex && vertex < endVertex; }
    /// Returns whether the brick has vertices that the part does not own.
    HD bool isShared() const { return endVertex > firstVertex && firstInPart == kNotOwn; }
};

/// Returns the brick at an offset from `brick`. @param bits the offset, see kCornerBricks
HD inline CornerBrick cornerBrick(const PartBricks& bricks, std::uint32_t brick, unsigned bits) {
    const Vec3i at = brickOf(bricks.keys[brick], bricks.dims);
    const Vec3i place{at.x + int(bits & 1), at.y + int(bits >> 1 & 1), at.z + int(bits >> 2)};
    if (place.x >= bricks.dims.x || place.y >= bricks.dims.y || place.z >= bricks.dims.z)
        return {};
    const std::uint64_t key = brickKey(place, bricks.dims);
    const std::uint32_t found = lowerBound(bricks.keys, bricks.count, key);
    if (found == bricks.count || bricks.keys[found] != key)
        return {};
    return {bricks.firstVertex[found], bricks.firstVertex[found + 1], bricks.firstInPart[found]};
}

/// Returns the index (offset bits) of the corner brick that owns a vertex; kCornerBricks if none does.
HD inline unsigned ownerOf(const CornerBrick* corners, std::uint32_t vertex) {
    unsigned bits = 0;
    while (bits < kCornerBricks && !corners[bits].owns(vertex))
        ++bits;
    return bits;
}

/// Returns the code of a triangle's corner that is included in checksums.
HD inline std::uint16_t cornerCode(const CornerBrick& owner, unsigned bits, std::uint32_t vertex) {
    return std::uint16_t(bits << kPartNumberBits | (vertex - owner.firstVertex));
}

} // namespace scanloupe
