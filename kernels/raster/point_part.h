#pragma once
// Enumerates the points of a part of the scene.
#include "kernels/raster/rasterizer.h"

#include <cstddef>

namespace scanloupe {

/// Consecutive points of a part: few enough for a part to spread over the scan, enough to fill cache lines.
inline constexpr std::size_t kPartBlock = 16;

/// Number of items of a part; items past the last point stand for none.
inline std::size_t itemsOfPart(PointPart part, std::size_t points) {
    const std::size_t blocks = (points + kPartBlock - 1) / kPartBlock;
    return part.index < blocks ? (blocks - part.index + part.count - 1) / part.count * kPartBlock : 0;
}
/// Index of an item's point.
inline std::size_t pointOfPart(PointPart part, std::size_t item) {
    return (item / kPartBlock * part.count + part.index) * kPartBlock + item % kPartBlock;
}

} // namespace scanloupe
