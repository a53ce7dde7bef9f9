#pragma once
// Declares the drawing of triangles on the CPU.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/raster/core/raster_target.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// Draws all triangles. @returns the number rejected because a coordinate is not finite. @throws KernelError
/// for a missing vertex; Cancelled
std::uint64_t drawTriangles(const RasterTarget& target, const RasterScene& scene,
                            const std::stop_token& stop);

/// The part of a mesh to draw, if the mesh shares triangles with a mesh that was drawn before.
struct TrianglesAgain {
    std::span<const SharedRun> shared; ///< triangles that both meshes contain; drawn only where they overlap
                                       ///< `lost`
    PixelBox lost;                     ///< box of the pixels that have shown triangles which no longer exist
    PixelBox& added;                   ///< extended by the boxes of triangles that are not shared
};
/// Draws the triangles that are not shared, and the shared ones that may become visible. @returns and throws
/// as above
std::uint64_t drawTrianglesAgain(const RasterTarget& target, const RasterScene& scene,
                                 const TrianglesAgain& again, const std::stop_token& stop);

} // namespace scanloupe::cpu
