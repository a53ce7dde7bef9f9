#pragma once
// Declares the benchmark of the published walk-through of marching cubes from CUDA to SYCL.
#include "kernels/core/stream.h"
#include "tests/bench/surface_scenes.h"

#include <optional>

namespace scanloupe::bench {

/// Times the walk-through in CUDA and on each SYCL device. Compares the number of occupied voxels, the number
/// of triangles, and the soup's corners. @param dense a scene with the values of all nodes
void walkthrough(const SurfaceScene& dense, int rounds, const std::optional<Stream>& stream);

} // namespace scanloupe::bench
