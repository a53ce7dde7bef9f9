#pragma once
// Enumerates the points of a part of the scene.

#include <cstddef>
#include <cstdint>

namespace scanloupe {

/// Part `index` of `count` parts of a scene's points. Each part is spread over the whole scene; each point is
/// in exactly one part.
struct PointSubset {
    std::uint32_t index = 0, count = 1;
};

/// Number of consecutive points in a part: small enough to spread a part over the scan, large enough to fill
/// cache lines.
inline constexpr std::size_t kSubsetBlock = 16;

/// Returns the number of items of a part, which may include items after the last point of the scene.
inline std::size_t itemsOfSubset(PointSubset part, std::size_t points) {
    const std::size_t blocks = (points + kSubsetBlock - 1) / kSubsetBlock;
    return part.index < blocks ? (blocks - part.index + part.count - 1) / part.count * kSubsetBlock : 0;
}
/// Returns the index of an item's point in the scene.
inline std::size_t pointOfSubset(PointSubset part, std::size_t item) {
    return (item / kSubsetBlock * part.count + part.index) * kSubsetBlock + item % kSubsetBlock;
}

} // namespace scanloupe
