#pragma once
// Declares an axis-aligned box in the frame of a file.
#include "kernels/core/vec3.h"

namespace scanloupe {

struct Bounds {
    Vec3d min, max; ///< in the file's unit (metres by default), over finite points; all zero if there are
                    ///< none
};

} // namespace scanloupe
