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
/// Returns, for each of `places` [M], the index of the nearest triangle: [M]; kNoItem where the place is not
/// present or no triangle is within `largest` metres. @throws Cancelled
Buffer<std::uint32_t> nearestTrianglesOf(std::span<const Vec3f> places, const TriangleSearch& search,
                                         float largest, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::nearestTrianglesOf, with all data on the device. @note Synchronizes with `stream`.
Buffer<std::uint32_t> nearestTrianglesOf(const Buffer<Vec3f>& places, const TriangleMesh& mesh,
                                         const Bvh& tree, float largest, const std::stop_token& stop,
                                         StreamView stream);
} // namespace cuda

} // namespace scanloupe
