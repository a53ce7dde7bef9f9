#pragma once
// Enumerates the points of a part of the scene, for both backends.
#include "kernels/core/hd.h"
#include "kernels/raster/rasterizer.h"

#include <cstddef>

namespace scanloupe {

/// Points that follow each other in a part: few enough to be strewn over the scan, enough for whole lines of
/// the cache.
inline constexpr std::size_t kPartBlock = 16;

/// How many items a part has; those past the last point are none.
HD inline std::size_t itemsOfPart(PointPart part, std::size_t points) {
    const std::size_t blocks = (points + kPartBlock - 1) / kPartBlock;
    return part.index < blocks ? (blocks - part.index + part.count - 1) / part.count * kPartBlock : 0;
}
/// The point that an item is.
HD inline std::size_t pointOfPart(PointPart part, std::size_t item) {
    return (item / kPartBlock * part.count + part.index) * kPartBlock + item % kPartBlock;
}

} // namespace scanloupe
