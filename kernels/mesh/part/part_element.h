#pragma once
// Defines how the triangles of a brick name their vertices, for both backends.
#include "kernels/core/hd.h"
#include "kernels/core/lower_bound.h"
#include "kernels/field/core/brick_neighbours.h"

#include <cstdint>

namespace scanloupe {

/// Bits of a vertex's number within its brick, which has at most 3 * 512 vertices.
inline constexpr int kPartNumberBits = 11;
/// The bricks whose vertices the triangles of a brick use: those at offsets of 0 or 1 along x, y and z, which
/// are the bits of their number.
inline constexpr unsigned kCornerBricks = 8;
/// In place of a brick's first vertex in the part: the brick is not the part's own.
inline constexpr std::uint32_t kNotOwn = 0xffffffffu;

/// The bricks of a whole surface, and what a part takes of them.
struct PartBricks {
    const std::uint64_t* keys;        ///< [A] ascending
    const std::uint32_t* firstVertex; ///< [A + 1]
    const std::uint32_t* firstInPart; ///< [A] number of a brick's first vertex in the part; kNotOwn
    std::uint32_t count;              ///< A
    Vec3i dims;                       ///< of the whole, in bricks
};

/// A brick that owns corners of another one's triangles.
struct CornerBrick {
    std::uint32_t firstVertex = 0, endVertex = 0; ///< in the whole; none where there is no such brick
    std::uint32_t firstInPart = kNotOwn;

    HD bool owns(std::uint32_t vertex) const { return vertex >= firstVertex && vertex < endVertex; }
    /// Whether it has vertices, and they are not the part's own.
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

/// The bits of the corner brick that owns a vertex; kCornerBricks: none does.
HD inline unsigned ownerOf(const CornerBrick* corners, std::uint32_t vertex) {
    unsigned bits = 0;
    while (bits < kCornerBricks && !corners[bits].owns(vertex))
        ++bits;
    return bits;
}

/// How a checksum has a triangle's corner.
HD inline std::uint16_t cornerCode(const CornerBrick& owner, unsigned bits, std::uint32_t vertex) {
    return std::uint16_t(bits << kPartNumberBits | (vertex - owner.firstVertex));
}

} // namespace scanloupe
