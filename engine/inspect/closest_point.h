#pragma once
// Declares the closest point of a reference, and its normal.
#include "kernels/core/vec3.h"

#include <cstdint>

namespace scanloupe {

struct Reference;
struct TriangleMesh;

/// The point of a triangle that is closest to a position.
struct ClosestPoint {
    Vec3d at;            ///< relative to the position
    Vec3d normal;        ///< unit normal of the triangle; zero for a degenerate one
    bool isFace = false; ///< the point is inside the triangle, not on its boundary
};
ClosestPoint closestPoint(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d place);

/// Returns the unit normal of a triangle or of a point of a reference; zero if it has none. @param item index
/// of the triangle or point
Vec3d normalOf(const Reference& reference, std::uint32_t item);

} // namespace scanloupe
