#pragma once
// Defines how the triangles of a brick refer to their vertices, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_neighbours.h"

#include <cstdint>

namespace scanloupe {

/// Bits of a vertex's number within its brick, which has at most 3 * 512 vertices.
inline constexpr int kPartNumberBits = 11;
/// The bricks whose vertices the triangles of a brick use: those at offsets of 0 or 1 along x, y and z, which
/// are the bits of their index.
inline constexpr unsigned kCornerBricks = 8;
/// Marks a brick that the part does not own, in place of its first vertex in the part.
inline constexpr std::uint32_t kNotOwn = 0xffffffffu;

/// The bricks of a whole surface, and their positions in a part.
struct PartBricks {
    const std::uint64_t* keys;        ///< [A] ascending
    const std::uint32_t* firstVertex; ///< [A + 1]
    const std::uint32_t* firstInPart; ///< [A] number of a brick's first vertex in the part; kNotOwn
    std::uint32_t count;              ///< A
    Vec3i dims;                       ///< dimensions of the whole surface, in bricks
};

/// A brick that owns corners of triangles in an adjacent brick.
struct CornerBrick {
    /// Range of its vertices in the whole surface; empty if there is no such brick.
    std::uint32_t firstVertex = 0, endVertex = 0;
    std::uint32_t firstInPart = kNotOwn;

    HD bool owns(std::uint32_t vertex) const { return vertex >= firstVertex && vertex < endVertex; }
    /// Whether it has vertices that the part does not own.
    HD bool isShared() const { return endVertex > firstVertex && firstInPart == kNotOwn; }
};

/// @param bits the offset from a brick, see kCornerBricks
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

/// The bits of the corner brick that owns a vertex; kCornerBricks: none.
HD inline unsigned ownerOf(const CornerBrick* corners, std::uint32_t vertex) {
    unsigned bits = 0;
    while (bits < kCornerBricks && !corners[bits].owns(vertex))
        ++bits;
    return bits;
}

/// The encoding of a triangle's corner in checksums.
HD inline std::uint16_t cornerCode(const CornerBrick& owner, unsigned bits, std::uint32_t vertex) {
    return std::uint16_t(bits << kPartNumberBits | (vertex - owner.firstVertex));
}

} // namespace scanloupe
