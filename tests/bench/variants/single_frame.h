#pragma once
// Declares drawing and shading of single frames on the device, without a graph.
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe::cuda {

/// As cpu::rasterize, with the same pixels; the scene's buffers and the result are on the device.
/// @note Synchronizes with `stream` to read counters.
VisibilityBuffer rasterize(const RasterScene& scene, const Projection& projection, RasterStats& stats,
                           StreamView stream);
/// As cpu::resolve, with the same pixels; all buffers are on the device. @note Synchronizes with `stream` to
/// check whether the buffer belongs to this scene.
Image resolve(const VisibilityBuffer& visibility, const RasterScene& scene, const Projection& projection,
              const Shading& shading, StreamView stream);

} // namespace scanloupe::cuda
