#pragma once
// Declares the section that a scan is cut to.
#include "kernels/core/vec3.h"

namespace scanloupe {

/// A slab to which a scan is cut, in the file's frame and unit. Its middle plane intersects the surface in
/// lines.
struct Section {
    Vec3d at;        ///< a point of the middle plane
    Vec3d direction; ///< normal of the slab's planes; any non-zero length
    double thickness = 0;
    bool operator==(const Section&) const = default;
};

} // namespace scanloupe
