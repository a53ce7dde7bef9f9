#pragma once
// Declares where a reference is closest to a place, and which way it faces.
#include "engine/inspect/reference.h"

#include <cstdint>

namespace scanloupe {

/// The closest point of a triangle.
struct ClosestPoint {
    Vec3d at;            ///< relative to the place
    Vec3d normal;        ///< of the triangle, unit vector; zero: it has no area
    bool isFace = false; ///< it lies inside the triangle, and not on its rim
};
ClosestPoint closestPoint(const TriangleMesh& mesh, std::uint32_t triangle, Vec3d place);

/// The unit normal of a triangle or a point of a reference; zero: it has none.
Vec3d normalOf(const Reference& reference, std::uint32_t item);

} // namespace scanloupe
