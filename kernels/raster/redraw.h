#pragma once
// Draws a mesh again that has changed in a part, from the same place, on the CPU.
#include "kernels/mesh/core/shared_mesh.h"
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <span>
#include <stop_token>

namespace scanloupe::cpu {

/// A picture of another mesh, with the same projection, sizes and shading.
struct EarlierPicture {
    const VisibilityBuffer& visibility;
    const Image& image;
    std::span<const SharedRun> triangles; ///< that both meshes have, with their vertices' normals
    bool sharesColours = false;           ///< the vertices of these triangles look the same
};

/// Pixels of a picture, and the box of those that may look different.
struct RedrawnPixels {
    VisibilityBuffer visibility;
    Image image;
    PixelBox changed;
};

/// The bytes of rasterize(). Pixels keep what they show of triangles that both meshes have; where they have
/// shown others, the triangles behind are drawn. `resolve` is left to resolveAgain().
/// @param scene a mesh alone @throws as rasterize()
RedrawnPixels rasterizeAgain(const RasterScene& scene, const Projection& projection,
                             const EarlierPicture& earlier, RasterStats& stats, const std::stop_token& stop);

/// Fills in the image of pixels that were drawn again: the bytes of resolve(). @throws as resolve()
void resolveAgain(RedrawnPixels& pixels, const RasterScene& scene, const Projection& projection,
                  const Shading& shading, const EarlierPicture& earlier, const std::stop_token& stop);

} // namespace scanloupe::cpu
