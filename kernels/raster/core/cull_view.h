#pragma once
// Declares the error bounds of conservative culling: by how much a projection with fused operations and an
// approximate reciprocal can differ from the exact one.
#include "kernels/raster/core/raster_element.h"

namespace scanloupe {

struct CullView {
    Vec3f right, down;      ///< axes of the view, times its scale
    float sampleX, sampleY; ///< the picture's centre, in pixels from the first drawn pixel's centre
    float lastX, lastY;     ///< coordinates beyond which a position is outside the picture
    float front;    ///< distance along the view, metres, from which on a position in the picture is certainly
                    ///< beyond the near plane
    float farthest; ///< distance along the view, metres, up to which the following bounds are valid
    float widest;   ///< maximum coordinate, pixels, for which a position that appears outside the picture is
                    ///< certainly outside
    float margin;   ///< maximum error, pixels, of a position in the picture or slightly outside
    float depthSlack; ///< maximum error of a depth value: a factor, or metres in an orthographic view
    float depthLeast; ///< perspective: factor from a depth value to its lower bound (farther is smaller)
};

/// Maximum extent of a triangle, pixels, for which `CullView::margin` is valid for all of its corners if one
/// of the corners may be in the picture.
inline constexpr float kCullExtent = 64;

CullView cullView(const RasterView& view);

} // namespace scanloupe
