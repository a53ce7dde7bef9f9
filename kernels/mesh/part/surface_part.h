#pragma once
// Declares the part of a large surface that a box of bricks owns, with a checksum of each brick that does not
// depend on how the surface was cut.
#include "kernels/core/index_box.h"
#include "kernels/core/sha256.h"
#include "kernels/mesh/extract/surface_bricks.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// A brick's content of the surface: the same for parts of any size.
struct PartBrick {
    std::uint64_t key = 0; ///< as SurfaceBricks::keys
    std::uint32_t vertices = 0, triangles = 0;
    /// Digest of the key, the vertices (positions, normals, column by column), and the triangles. Each corner
    /// is the vertex's number within its brick, with the brick's offset, 0 or 1 along x, y and z, in the bits
    /// above.
    Sha256Digest digest{};
};

/// A vertex that a brick outside the part owns, by its number within that brick.
struct SeamVertex {
    std::uint64_t brick = 0;
    std::uint32_t number = 0;
    bool operator==(const SeamVertex&) const = default;
};

/// The vertices and triangles of some bricks.
struct SurfacePart {
    TriangleMesh mesh; ///< on the host: its own vertices, then those of other bricks
    std::uint64_t ownVertices = 0;
    std::vector<PartBrick> bricks; ///< ascending; their vertices and triangles are consecutive in the mesh
    std::vector<SeamVertex> seams; ///< owners of the vertices after its own
};

/// Values of a surface's vertices that are included in the checksums: [M] 4 bytes each, on the host.
using VertexColumn = std::span<const std::byte>;

namespace cpu {
/// Cuts out the part that the bricks in a box own. @param surface on the host @throws KernelError; Cancelled
SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::cutSurface, with the same result; the surface lies on the device.
/// @note Synchronizes with `stream`. @throws KernelError; Cancelled
SurfacePart cutSurface(const BrickedSurface& surface, std::span<const VertexColumn> columns, Vec3i brickDims,
                       const IndexBox& owned, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
