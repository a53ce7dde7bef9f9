#pragma once
// Declares which bricks of a surface belong to a part, and the indices of their content in the part.
#include "kernels/mesh/part/part_element.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// The message for a surface whose triangles use vertices of bricks that are not adjacent to theirs.
inline constexpr const char* kStrayVertex = "a triangle has a vertex of a brick that does not touch its own";

struct PartLayout {
    /// @throws Fault for columns without four bytes for each vertex
    PartLayout(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
               const IndexBox& owned);

    std::vector<std::uint32_t> own; ///< [B] indices of the part's bricks in the whole surface, ascending
    std::vector<std::uint32_t> firstVertex;   ///< [A + 1] first vertices in the whole surface
    std::vector<std::uint32_t> firstInPart;   ///< [A] see PartBricks
    std::vector<std::uint64_t> firstTriangle; ///< [B + 1] first triangles in the part
    std::uint64_t ownVertices = 0;

    std::uint64_t triangles() const { return firstTriangle.back(); }
};

/// A part without mesh and checksums. @param shared ascending, vertices of the whole surface that it shares
SurfacePart describedPart(const SurfaceBricks& bricks, const PartLayout& layout,
                          std::span<const std::uint32_t> shared);

} // namespace scanloupe
