#pragma once
// The scenes of the raster benchmark, generated on the device. Defined in raster_scenes.cu, or in
// raster_unavailable.cpp in a build without nvcc.
#include "kernels/raster/core/raster_scene.h"
#include "tests/support/bench_scenes.h"

namespace scanloupe::bench {

/// The `bumpy` mesh with 12 n^2 triangles, in row order or shuffled by a fixed bijection.
/// @note Synchronizes.
TriangleMesh bumpyOnDevice(int n, bool shuffled, StreamView stream);

enum class PointRow : std::uint8_t {
    scan,     ///< row by row
    morton,   ///< along a Morton curve through each square of 64 x 64
    shuffled, ///< a fixed bijection makes the order pseudo-random
};
/// The surface of bumpyOnDevice() with approximately `points` points, sampled on the six sides of a cube. The
/// rows of each side have a multiple of 64 points. @note Synchronizes.
Buffer<Vec3f> bumpyPointsOnDevice(std::uint64_t points, PointRow order, StreamView stream);

} // namespace scanloupe::bench
