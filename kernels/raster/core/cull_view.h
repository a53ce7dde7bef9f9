#pragma once
// Declares the error bounds of conservative culling: by how much a projection with fused operations and an
// approximate reciprocal can differ from the exact one.
#include "kernels/raster/core/raster_element.h"

namespace scanloupe {

struct CullView {
    Vec3f right, down;      ///< the view's axes, times its scale
    float sampleX, sampleY; ///< the picture's centre, in pixels from the first drawn pixel's centre
    float lastX, lastY;     ///< coordinates past which nothing lies in the picture
    float front; ///< metres along the view; from here on, everything in the picture certainly lies beyond the
                 ///< near plane
    float farthest;   ///< metres along the view up to which the bounds below hold
    float widest;     ///< pixels up to which a position that appears outside the picture is outside it
    float margin;     ///< pixels: largest error of a position in the picture, or a little outside it
    float depthSlack; ///< largest error of a depth value: a factor, or metres in an orthographic view
    float depthLeast; ///< perspective: the factor to the farthest depth value that is possible
};

/// Pixels of a triangle's extent up to which `CullView::margin` holds for all of its corners when one of them
/// may lie in the picture.
inline constexpr float kCullExtent = 64;

CullView cullView(const RasterView& view);

} // namespace scanloupe
