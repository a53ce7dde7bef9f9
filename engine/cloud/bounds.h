#pragma once
// Declares an axis-aligned box in the frame of a file.
#include "kernels/core/vec3.h"

namespace scanloupe {

struct Bounds {
    Vec3d min, max; ///< metres (the file's unit), over finite points; all zero when there are none
};

} // namespace scanloupe
