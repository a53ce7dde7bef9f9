#pragma once
// Declares the closest point of a reference, and its normal.
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

struct Reference;
struct TriangleMesh;

/// The closest point of a triangle.
struct ClosestPoint {
    Vec3d at;            ///< relative to `place`
    Vec3d normal;        ///< unit normal of the triangle; zero for a degenerate one
    bool isFace = false; ///< it lies inside the triangle, not on its boundary
};
ClosestPoint closestPoint(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d place);

/// The unit normal of a triangle or a point of a reference; zero: it has none.
Vec3d normalOf(const Reference& reference, std::uint32_t item);

} // namespace scanloupe
