// Computes the layout of a part of a surface.
#include "kernels/mesh/part/part_layout.h"

#include <algorithm>

namespace scanloupe {

PartLayout::PartLayout(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned)
    : firstVertex(surface.bricks.firstVertex.begin(), surface.bricks.firstVertex.end()),
      firstInPart(surface.bricks.size(), kNotOwn), firstTriangle{0} {
    const SurfaceBricks& bricks = surface.bricks;
    for (const VertexColumn& column : columns)
        if (column.size() != 4 * surface.mesh.vertexCount())
            throw Fault("a column of a surface doesn't have four bytes for each vertex");
    requireIndexableBricks(bricks.size());
    for (std::size_t b = 0; b < bricks.size(); ++b) {
        if (!owned.contains(brickOf(bricks.keys[b], brickDims)))
            continue;
        own.push_back(std::uint32_t(b));
        firstInPart[b] = std::uint32_t(ownVertices);
        ownVertices += bricks.firstVertex[b + 1] - bricks.firstVertex[b];
        firstTriangle.push_back(firstTriangle.back() + bricks.firstTriangle[b + 1] - bricks.firstTriangle[b]);
    }
}

SurfacePart describedPart(const SurfaceBricks& bricks, const PartLayout& layout,
                          std::span<const std::uint32_t> shared) {
    SurfacePart part;
    part.ownVertices = layout.ownVertices;
    part.bricks.resize(layout.own.size());
    for (std::size_t i = 0; i < layout.own.size(); ++i) {
        const std::uint32_t b = layout.own[i];
        part.bricks[i] = {bricks.keys[b],
                          std::uint32_t(bricks.firstVertex[b + 1] - bricks.firstVertex[b]),
                          std::uint32_t(bricks.firstTriangle[b + 1] - bricks.firstTriangle[b]),
                          {}};
    }
    for (const std::uint32_t v : shared) {
        const auto brick =
            std::size_t(std::ranges::upper_bound(bricks.firstVertex, v) - bricks.firstVertex.begin()) - 1;
        part.seams.push_back({bricks.keys[brick], std::uint32_t(v - bricks.firstVertex[brick])});
    }
    return part;
}

} // namespace scanloupe
