#pragma once
// Resolves a visibility buffer into an image on the CPU.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

#include <stop_token>

namespace scanloupe::cpu {

/// Shades each pixel once, from the scene that was drawn: ambient light and a headlight slightly up and left
/// of the eye, two-sided; vertex normals if the mesh has them. Without a map, values are shown in viridis.
/// @throws KernelError when the buffer is of another scene or size; Cancelled.
Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, const std::stop_token& stop);

/// Shades only the pixels of a box, in an image that is complete around it. @throws as above
void resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
             const Shading& shading, const PixelBox& box, Image& image, const std::stop_token& stop);

} // namespace scanloupe::cpu
