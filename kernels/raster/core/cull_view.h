#pragma once
// Declares the error bounds of conservative culling: by how much a projection with fused operations and an
// approximate reciprocal can differ from the exact one.
#include "kernels/raster/core/raster_element.h"

namespace scanloupe {

struct CullView {
    Vec3f right, down;      ///< the view's axes, times its scale
    float sampleX, sampleY; ///< the picture's centre, in pixels from the first drawn pixel's centre
    float lastX, lastY;     ///< coordinates beyond which nothing lies in the picture
    float front; ///< metres along the view; from here on, everything in the picture certainly lies beyond the
                 ///< near plane
    float farthest;   ///< metres along the view up to which the bounds below hold
    float widest;     ///< pixels up to which a position that appears outside the picture is certainly outside
    float margin;     ///< pixels: maximum error of a position in the picture, or slightly outside it
    float depthSlack; ///< maximum error of a depth value: a factor, or metres in an orthographic view
    float depthLeast; ///< perspective: factor from a depth value to its lower bound (farther is smaller)
};

/// Pixels of a triangle's extent up to which `CullView::margin` holds for all of its corners when one of them
/// may lie in the picture.
inline constexpr float kCullExtent = 64;

CullView cullView(const RasterView& view);

} // namespace scanloupe
