#pragma once
// The scenes of the raster benchmark, made on the device: raster_scenes.cu, or raster_unavailable.cpp in a
// build without nvcc.
#include "kernels/raster/core/raster_scene.h"
#include "tests/support/bench_scenes.h"

namespace scanloupe::bench {

/// `bumpy` of 12 n^2 triangles, those in the order of their rows or shuffled by a fixed bijection.
/// @note Synchronizes.
TriangleMesh bumpyOnDevice(int n, bool shuffled, StreamView stream);

enum class PointRow : std::uint8_t {
    scan,     ///< row by row
    morton,   ///< along a Morton curve through each square of 64 x 64
    shuffled, ///< by a fixed bijection
};
/// The same surface with approximately `points` points, sampled on the six sides of a cube, each in rows of a
/// multiple of 64. @note Synchronizes.
Buffer<Vec3f> bumpyPointsOnDevice(std::uint64_t points, PointRow order, StreamView stream);

} // namespace scanloupe::bench
