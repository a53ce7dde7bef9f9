#pragma once
// Declares which bricks of a surface belong to a part, and where the part has what they own.
#include "kernels/mesh/part/part_element.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// What is wrong with a surface whose triangles use vertices of bricks that don't touch theirs.
inline constexpr const char* kStrayVertex = "a triangle has a vertex of a brick that does not touch its own";

struct PartLayout {
    /// @throws Fault for columns that don't have four bytes for each vertex
    PartLayout(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
               const IndexBox& owned);

    std::vector<std::uint32_t> own;           ///< [B] ascending, of the whole surface's bricks
    std::vector<std::uint32_t> firstVertex;   ///< [A + 1] of the whole
    std::vector<std::uint32_t> firstInPart;   ///< [A] see PartBricks
    std::vector<std::uint64_t> firstTriangle; ///< [B + 1] of the own bricks, in the part
    std::uint64_t ownVertices = 0;

    std::uint64_t triangles() const { return firstTriangle.back(); }
};

/// A part without mesh and checksums. @param shared ascending, vertices of the whole that it shares
SurfacePart describedPart(const SurfaceBricks& bricks, const PartLayout& layout,
                          std::span<const std::uint32_t> shared);

} // namespace scanloupe
