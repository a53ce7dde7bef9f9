#pragma once
// Resolves a visibility buffer into an image on the CPU.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Shades each pixel once, from the scene that was drawn: with ambient light and a two-sided headlight
/// slightly up and left of the eye, and with vertex normals if the mesh has them. Values without a colour map
/// are shown in viridis.
/// @throws KernelError if the buffer is of another scene or size; Cancelled
Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, const std::stop_token& stop);

/// Shades only the pixels of a box, in an image whose other pixels are already shaded. @throws as above
void resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
             const Shading& shading, const PixelBox& box, Image& image, const std::stop_token& stop);

} // namespace scanloupe::cpu
