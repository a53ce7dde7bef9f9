#pragma once
// Declares drawing and shading of single frames on the device, without a graph.
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe::cuda {

/// As cpu::rasterize, with the same pixels as its result; the scene's buffers and the result lie on the
/// device. @note Synchronizes with `stream` to learn what was counted.
VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           StreamView stream);
/// As cpu::resolve, with the same pixels as its result; all lies on the device. @note Synchronizes with
/// `stream` to learn whether the buffer is of this scene.
Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, StreamView stream);

} // namespace scanloupe::cuda
