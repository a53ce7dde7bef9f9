#pragma once
// Declares the error bounds of conservative culling: by how much a projection with fused operations and an
// approximate reciprocal can differ from the exact one.
#include "kernels/raster/raster_element.h"

namespace scanloupe {

struct CullView {
    Vec3f right, down;      ///< the view's, times its scale
    float sampleX, sampleY; ///< the picture's centre, in pixels from the first drawn pixel's centre
    float lastX, lastY;     ///< coordinates past which the picture surely ends
    float front;            ///< metres; from here on what is in the picture is surely beyond the near plane
    float farthest;         ///< metres; up to here the bounds below hold
    float widest;           ///< pixels; up to here what seems to lie beside the picture does
    float margin;           ///< pixels by which something in the picture, or a little beside it, can be off
    float depthSlack;       ///< depth values: a factor, or metres in an orthographic view
    float depthLeast;       ///< the factor for the farthest that it can be, in perspective
};

/// Pixels of a triangle's extent up to which `CullView::margin` holds for all of its corners when one of them
/// may lie in the picture.
inline constexpr float kCullExtent = 64;

CullView cullView(const RasterView& view);

} // namespace scanloupe
