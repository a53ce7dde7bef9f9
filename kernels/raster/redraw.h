#pragma once
// Draws a mesh again that has changed in a part, with the same camera, on the CPU.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// A picture of another mesh, with the same projection, sizes and shading.
struct PreviousPicture {
    const VisibilityBuffer& visibility;
    const Image& image;
    std::span<const SharedRun> triangles; ///< runs that both meshes have, with the same vertex normals
    bool sharesColours = false;           ///< the vertices of these triangles look the same
};

/// Pixels of a picture, and the box of those that may have changed.
struct RedrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    PixelBox changed;
};

/// Draws a picture with the same bytes as rasterize(). Pixels that show triangles of both meshes are kept;
/// in the other pixels, the triangles behind are drawn. Call resolveAgain() for the image.
/// @param scene only a mesh @throws as rasterize()
RedrawnPixels rasterizeAgain(const RasterScene& scene, const Projection& projection,
                             const PreviousPicture& earlier, RasterStats& stats, const std::stop_token& stop);

/// Fills in the image of pixels that were drawn again, with the same bytes as resolve(). @throws as
/// resolve()
void resolveAgain(RedrawnPixels& pixels, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const PreviousPicture& earlier, const std::stop_token& stop);

} // namespace scanloupe::cpu
