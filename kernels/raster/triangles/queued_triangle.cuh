#pragma once
// Declares a triangle that has been set up and waits to be drawn.
#include "kernels/raster/triangles/triangle_setup.h"

namespace scanloupe::cuda {

/// A triangle that is queued for a warp or for the tiles.
struct QueuedTriangle {
    TriangleSetup setup;
    std::uint32_t id;
};

} // namespace scanloupe::cuda
