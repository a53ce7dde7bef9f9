#pragma once
// Redraws a mesh that has partly changed, with the same camera, on the CPU.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// A picture of the previous mesh, with the same projection, sizes and shading.
struct PreviousPicture {
    const VisibilityBuffer& visibility;
    const Image& image;
    std::span<const SharedRun> triangles; ///< triangles that both meshes contain, with the same vertex
                                          ///< normals, as runs
    bool sharesColours = false; ///< the vertices of these triangles have the same colours in both meshes
};

/// Pixels of a picture, and the box of the pixels that may have changed.
struct RedrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    PixelBox changed;
};

/// Draws a picture identical to that of rasterize(). Pixels that show triangles of both meshes are kept; the
/// other pixels are drawn again. Call resolveAgain() for the image.
/// @param scene must contain only a mesh @throws as rasterize()
RedrawnPixels rasterizeAgain(const RasterScene& scene, const Projection& projection,
                             const PreviousPicture& earlier, RasterStats& stats, const std::stop_token& stop);

/// Fills in the image of the pixels that were drawn again, identical to that of resolve(). @throws as
/// resolve()
void resolveAgain(RedrawnPixels& pixels, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const PreviousPicture& earlier, const std::stop_token& stop);

} // namespace scanloupe::cpu
