#pragma once
// Enumerates the points of a part of the scene.

#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Part `index` of `count` of a scene's points. Each part is spread over the whole scene; together they have
/// all points.
struct PointSubset {
    std::uint32_t index = 0, count = 1;
};

/// Consecutive points of a part: few enough for a part to spread over the scan, enough to fill cache lines.
inline constexpr std::size_t kSubsetBlock = 16;

/// Number of items of a part; items after the last point are not points.
inline std::size_t itemsOfSubset(PointSubset part, std::size_t points) {
    const std::size_t blocks = (points + kSubsetBlock - 1) / kSubsetBlock;
    return part.index < blocks ? (blocks - part.index + part.count - 1) / part.count * kSubsetBlock : 0;
}
/// Index of an item's point.
inline std::size_t pointOfSubset(PointSubset part, std::size_t item) {
    return (item / kSubsetBlock * part.count + part.index) * kSubsetBlock + item % kSubsetBlock;
}

} // namespace scanloupe
