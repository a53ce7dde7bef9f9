#pragma once
// Declares the published walk-through of marching cubes from CUDA to SYCL beside ours.
#include "kernels/core/stream.h"
#include "tests/bench/surface_scenes.h"

#include <optional>

namespace scanloupe::bench {

/// Times the walk-through by CUDA and on each device for SYCL, and compares what comes out: occupied voxels,
/// triangles, and the soup's corners. @param dense a scene with the values of all nodes
void walkthrough(const SurfaceScene& dense, int rounds, const std::optional<Stream>& stream);

} // namespace scanloupe::bench
