#pragma once
// Declares the search for the nearest triangles of many places.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/mesh/core/triangle_mesh.h"
#include "kernels/mesh/distance/bvh.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

namespace cpu {
class TriangleSearch;
/// The nearest triangle to each of `places`, [M]; kNoItem for places that are not present, or have none
/// within `largest` metres. @throws Cancelled
Buffer<std::uint32_t> nearestTrianglesOf(std::span<const Vec3f> places, const TriangleSearch& search,
                                         float largest, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// As cpu::nearestTrianglesOf; all lies on the device. @note Synchronizes with `stream`.
Buffer<std::uint32_t> nearestTrianglesOf(const Buffer<Vec3f>& places, const TriangleMesh& mesh,
                                         const Bvh& tree, float largest, const std::stop_token& stop,
                                         StreamView stream);
} // namespace cuda

} // namespace scanloupe
