#pragma once
// Defines the points of a tile with their attributes.
#include "kernels/core/buffer.h"
#include "kernels/core/vec3.h"

#include <cstddef>
#include <vector>

namespace scanloupe {

/// All points that the computation of a tile requires, in any order.
struct TileCloud {
    Buffer<Vec3f> positions;                    ///< [N] metres, relative to the plan's origin, host or device
    std::vector<Buffer<std::byte>> values = {}; ///< [A] one array per attribute of SurveyAttributes::list,
                                                ///< [N] values of the attribute's type; on the host
};

} // namespace scanloupe
