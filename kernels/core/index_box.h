#pragma once
// Defines half-open boxes of tiles, bricks or cells.
#include "kernels/core/vec3.h"

namespace scanloupe {

/// A box of integer indices: a half-open range along each of x, y and z.
struct IndexBox {
    Vec3i low, high;

    bool contains(Vec3i at) const {
        return at.x >= low.x && at.y >= low.y && at.z >= low.z && at.x < high.x && at.y < high.y &&
               at.z < high.z;
    }
};

} // namespace scanloupe
