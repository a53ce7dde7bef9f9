#pragma once
// Declares parts of a large surface. A part consists of the vertices and triangles that the bricks in a box
// own, and has a checksum per brick that does not depend on how the surface was divided into parts.
#include "kernels/core/index_box.h"
#include "kernels/core/sha256.h"
#include "kernels/mesh/extract/surface_bricks.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A brick's content of the surface; identical for parts of any size.
struct PartBrick {
    std::uint64_t key = 0; ///< see SurfaceBricks::keys
    std::uint32_t vertices = 0, triangles = 0;
    /// Digest of the brick's key, vertices (positions, normals, column by column) and triangles. A triangle's
    /// corner is encoded as the vertex's number within its brick, and above it the offset of that brick, 0 or
    /// 1 along x, y and z.
    Sha256Digest digest{};
};

/// A vertex of the part that a brick outside the part owns.
struct SeamVertex {
    std::uint64_t brick = 0;
    std::uint32_t number = 0;
    bool operator==(const SeamVertex&) const = default;
};

/// The vertices and triangles of the bricks in a box.
struct SurfacePart {
    TriangleMesh mesh; ///< on the host: first the vertices that the part owns, then those of other bricks
    std::uint64_t ownVertices = 0;
    std::vector<PartBrick> bricks; ///< ascending by key; each brick's vertices and triangles are consecutive
                                   ///< in the mesh
    std::vector<SeamVertex> seams; ///< owners of the vertices that the part does not own
};

/// A column of values of a surface's vertices, included in the checksums: [M], 4 bytes per vertex, on the
/// host.
using VertexColumn = std::span<const std::byte>;

namespace cpu {
/// Extracts the part of a surface that the bricks in a box own. @param surface on the host @throws
/// KernelError; Cancelled
SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::cutSurface, with the same result; the surface is on the device.
/// @note Synchronizes with `stream`. @throws KernelError; Cancelled
SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
