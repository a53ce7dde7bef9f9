#pragma once
// Computes light and colour of one pixel, for both backends. It uses + - * / sqrt, comparisons and integers
// only, since these round alike on both.
#include "kernels/core/hd.h"
#include "kernels/core/square_root.h"
#include "kernels/core/vec3.h"
#include "kernels/raster/core/raster_scene.h"

#include <bit>
#include <cstdint>

namespace scanloupe {

/// Returns log2 of a positive normal number, accurate to 1e-6: the series of artanh over [sqrt(1/2),
/// sqrt(2)].
HD inline float log2Approximate(float v) {
    const auto bits = std::bit_cast<std::uint32_t>(v);
    auto exponent = static_cast<std::int32_t>(bits >> 23) - 127;
    float m = std::bit_cast<float>((bits & 0x007fffffu) | 0x3f800000u);
    if (m > 1.41421356f)
        m *= 0.5f, ++exponent;
    const float s = (m - 1) / (m + 1), s2 = s * s;
    return static_cast<float>(exponent) +
           2.88539008f * s * (1 + s2 * (1 / 3.0f + s2 * (0.2f + s2 * (1 / 7.0f))));
}

/// Nearness of the background, and of pixels outside the picture, for eye-dome lighting.
inline constexpr float kFarthest = -1e9f;
/// Upper limit of a step in log2 depth, so that a silhouette in front of other objects is as dark as a
/// silhouette against the background.
inline constexpr float kLargestStep = 0.05f;

/// Returns the difference in log2 depth by which a neighbour is nearer, up to kLargestStep.
HD inline float eyeDomeStep(float own, float neighbour) {
    const float step = neighbour - own;
    return step > 0 ? (step < kLargestStep ? step : kLargestStep) : 0.0f;
}
/// Returns the factor on a pixel's colour, (0, 1]. @param steps sum of the steps of its eight neighbours
/// (Boucheny, 2009). A rational function replaces exp, which differs between backends.
HD inline float eyeDomeFactor(float steps, float strength) {
    const float x = steps * strength * 12.0f;
    return 1.0f / (1.0f + x + 0.5f * x * x);
}

/// Returns the direction of the light: the eye, moved up and left, so that the three visible sides of a box
/// differ.
HD inline Vec3f headlight(Vec3f right, Vec3f down, Vec3f forward) {
    return normalized(forward * -1.0f + down * -0.5f + right * -0.3f);
}
/// Returns the factor on a colour for a unit normal that faces the eye. Light is added in linear space; the
/// sRGB curve is approximated by a square, so the factor is the square root.
HD inline float lightFactor(Vec3f normal, Vec3f toLight) {
    const float ambient = 0.16f, diffuse = dot(normal, toLight);
    return squareRoot(ambient + (1.0f - ambient) * (diffuse > 0 ? diffuse : 0.0f));
}

HD inline std::uint32_t channel(std::uint32_t rgba, int i) {
    return rgba >> (8 * i) & 0xffu;
}
/// Multiplies R, G and B by a factor in [0, 1]; A is kept.
HD inline std::uint32_t scaled(std::uint32_t rgba, float factor) {
    std::uint32_t out = rgba & 0xff000000u;
    for (int i = 0; i < 3; ++i)
        out |= static_cast<std::uint32_t>(static_cast<float>(channel(rgba, i)) * factor + 0.5f) << (8 * i);
    return out;
}
/// Returns the weighted mean of three colours. The weights must sum to 1.
HD inline std::uint32_t mixed(std::uint32_t a, std::uint32_t b, std::uint32_t c, Vec3f w) {
    std::uint32_t out = 0;
    for (int i = 0; i < 4; ++i) {
        const float sum = static_cast<float>(channel(a, i)) * w.x + static_cast<float>(channel(b, i)) * w.y +
                          static_cast<float>(channel(c, i)) * w.z;
        out |= static_cast<std::uint32_t>(sum < 255.0f ? sum + 0.5f : 255.0f) << (8 * i);
    }
    return out;
}

/// Returns the colour of a value; for NaN, the uniform colour.
HD inline std::uint32_t mappedColour(const Colouring& colouring, float value) {
    if (!(value == value) || !colouring.map)
        return colouring.uniform;
    const float extent = colouring.high - colouring.low;
    const float t = extent > 0 ? (value - colouring.low) / extent * 256.0f : 0.0f;
    return colouring.map[t >= 255.0f ? 255 : t > 0 ? static_cast<int>(t) : 0];
}
/// Returns the colour of primitive i.
HD inline std::uint32_t colourOf(const Colouring& colouring, std::uint32_t i) {
    if (colouring.rgba)
        return colouring.rgba[i];
    return colouring.values ? mappedColour(colouring, colouring.values[i]) : colouring.uniform;
}
/// Returns the colour between three vertices: values are interpolated before they are mapped.
HD inline std::uint32_t colourBetween(const Colouring& colouring, const std::uint32_t* v, Vec3f w) {
    if (colouring.discrete)
        return colourOf(colouring, v[w.x >= w.y && w.x >= w.z ? 0 : w.y >= w.z ? 1 : 2]);
    if (colouring.rgba)
        return mixed(colouring.rgba[v[0]], colouring.rgba[v[1]], colouring.rgba[v[2]], w);
    if (!colouring.values)
        return colouring.uniform;
    return mappedColour(colouring, colouring.values[v[0]] * w.x + colouring.values[v[1]] * w.y +
                                       colouring.values[v[2]] * w.z);
}

} // namespace scanloupe
