#pragma once
// Declares which bricks of a surface belong to a part, and where their vertices and triangles are in the
// part.
#include "kernels/mesh/part/part_element.h"
#include "kernels/mesh/part/surface_part.h"

#include <cstdint>
#include <span>
#include <vector>

namespace scanloupe {

/// Message of the error that a triangle uses a vertex of a brick that is not adjacent to the triangle's
/// brick.
inline constexpr const char* kStrayVertex = "a triangle has a vertex of a brick that does not touch its own";

struct PartLayout {
    /// Computes the layout. @throws Fault if a column does not have four bytes per vertex
    PartLayout(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
               const IndexBox& owned);

    std::vector<std::uint32_t> own; ///< [B] indices of the part's bricks in the whole surface, ascending
    std::vector<std::uint32_t> firstVertex;   ///< [A + 1] number of each brick's first vertex in the whole
                                              ///< surface
    std::vector<std::uint32_t> firstInPart;   ///< [A] see PartBricks::firstInPart
    std::vector<std::uint64_t> firstTriangle; ///< [B + 1] index of each brick's first triangle in the part
    std::uint64_t ownVertices = 0;

    std::uint64_t triangles() const { return firstTriangle.back(); }
};

/// Returns a part without mesh and checksums. @param shared ascending numbers, in the whole surface, of the
/// vertices that the part uses but does not own
SurfacePart describedPart(const SurfaceBricks& bricks, const PartLayout& layout,
                          std::span<const std::uint32_t> shared);

} // namespace scanloupe
