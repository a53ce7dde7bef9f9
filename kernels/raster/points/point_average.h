#pragma once
// Averages the colours of the points in a pixel, for both backends. Sums are integers, so that the order of
// addition does not change the result.
#include "kernels/raster/core/raster_element.h"
#include "kernels/raster/core/raster_scene.h"

namespace scanloupe {

/// Sums of the colours of the points in a pixel.
struct PointSums {
    std::uint64_t red, green, blue, count;
};

/// Maximum ratio of a point's distance to the distance of the nearest point in its pixel for which the point
/// is averaged (Schuetz, Kerbl and Wimmer, "Rendering point clouds with compute shaders and vertex order
/// optimization", 2021).
inline constexpr float kAveragedDepth = 1.01f;

/// Returns whether the scene's points are averaged: colours that represent classes are not mixed.
inline bool averagesPoints(const RasterScene& scene) {
    return scene.pointBlend == PointBlend::averaged && !scene.pointColour.discrete && !scene.points.empty();
}

/// Returns whether a point of this depth value is averaged in a pixel. @param pixel its entry in the
/// visibility buffer
HD inline bool isAveraged(float depth, std::uint64_t pixel, bool orthographic) {
    if (pixel == 0 || primitiveKind(~static_cast<std::uint32_t>(pixel)) != PrimitiveKind::point)
        return false;
    const auto key = static_cast<std::uint32_t>(pixel >> 32);
    return orthographic ? depth <= std::bit_cast<float>(0x7fffffffu - key) * kAveragedDepth
                        : depth * kAveragedDepth >= std::bit_cast<float>(key);
}

/// Returns the mean colour of a pixel's points, opaque RGBA; `nearest` if there are no points.
HD inline std::uint32_t meanColour(const PointSums& sums, std::uint32_t nearest) {
    if (sums.count == 0)
        return nearest;
    const auto mean = [&sums](std::uint64_t sum) {
        return static_cast<std::uint32_t>((2 * sum + sums.count) / (2 * sums.count));
    };
    return mean(sums.red) | mean(sums.green) << 8 | mean(sums.blue) << 16 | 0xff000000u;
}

} // namespace scanloupe
