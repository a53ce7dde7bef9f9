#pragma once
// Defines the points of a tile with their values.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <vector>

namespace scanloupe {

/// All points that a tile needs, in any order.
struct TileCloud {
    Buffer<Vec3f> positions; ///< [N] relative to the plan's origin, host or device
    std::vector<Buffer<std::byte>> values =
        {}; ///< [A] each [N] of its type, see SurveyAttributes::list; host
};

} // namespace scanloupe
