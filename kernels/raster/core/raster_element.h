#pragma once
// Projects vertices, snaps them to subpixels and orders depths, for all primitives and both backends. A
// "depth value" is 1 / w in perspective and w in an orthographic view (w: metres along the view). Both are
// linear over the pixels of a plane.
#include "kernels/core/hd.h"
#include "kernels/core/vec3.h"
#include "kernels/raster/core/camera.h"

#include <bit>
#include <cstdint>
#include <limits>

namespace scanloupe {

inline constexpr int kSubpixelBits = 8; ///< fixed point with 24.8 bits
inline constexpr std::int32_t kSubpixels = 1 << kSubpixelBits;
inline constexpr std::int32_t kHalfPixel = kSubpixels / 2; ///< samples lie at pixel centres
/// Maximum distance from the picture's centre, pixels, at which single precision resolves a subpixel.
inline constexpr float kGuardBand = 32768;

/// A Projection as an argument of kernels. The eye is split into two floats, so that large coordinates do not
/// jitter.
struct RasterView {
    Vec3d eye;
    Vec3f eyeHigh, eyeLow;
    Vec3f right, down, forward;
    float scale, inverseScale, centreX, centreY, nearPlane, inverseNear;
    int width, height;
    /// Position of the first pixel in the picture to which `centreX` and `centreY` refer.
    int offsetX, offsetY;
    bool orthographic;
};

/// Truncates a number to the bits of single precision. Uses a mask, since g++ 12 removes the conversions
/// double -> float -> double of two neighbouring values when it vectorizes.
inline double singlePart(double v) {
    constexpr std::uint64_t beyond = (std::uint64_t{1} << 29) - 1; // the lowest 52 - 23 bits of the fraction
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(v) & ~beyond);
}

inline RasterView rasterView(const Projection& p) {
    const Vec3d single{singlePart(p.eye.x), singlePart(p.eye.y), singlePart(p.eye.z)};
    const Vec3f high = single.as<float>(), low = (p.eye - single).as<float>();
    return {p.eye,   high,        low,       p.right,   p.down,        p.forward,
            p.scale, 1 / p.scale, p.centreX, p.centreY, p.nearPlane,   1.0f / p.nearPlane,
            p.width, p.height,    p.offsetX, p.offsetY, p.orthographic};
}

/// Returns a position relative to the eye, in the axes of the scene.
HD inline Vec3f fromEye(const RasterView& view, Vec3f position) {
    return (position - view.eyeHigh) - view.eyeLow;
}
/// Transforms a vector to the axes of the view (right, down, forward).
HD inline Vec3f inView(const RasterView& view, Vec3f v) {
    return {dot(view.right, v), dot(view.down, v), dot(view.forward, v)};
}

HD inline std::int32_t floorToInt(float v) {
    const auto i = static_cast<std::int32_t>(v);
    return i - (static_cast<float>(i) > v ? 1 : 0);
}
/// Converts pixels to fixed point, rounded to nearest. All vertices are snapped by this function or its
/// double overload.
HD inline std::int32_t snap(float pixels) {
    return floorToInt(pixels * kSubpixels + 0.5f);
}
HD inline std::int32_t snap(double pixels) {
    const double v = pixels * kSubpixels + 0.5;
    const auto i = static_cast<std::int32_t>(v);
    return i - (static_cast<double>(i) > v ? 1 : 0);
}

/// Converts a fixed-point coordinate of the whole picture to the part that is drawn.
HD inline std::int32_t inPart(std::int32_t v, int offset) {
    return v - offset * kSubpixels;
}

/// A vertex or a point on the screen.
struct ScreenVertex {
    enum State : std::uint32_t { drawable = 0, outside = 1, notFinite = 2 };
    std::int32_t x = 0, y = 0; ///< 24.8 fixed-point pixels; valid only if drawable
    float depth = 0;           ///< depth value; valid only if drawable
    State state = drawable;    ///< outside: in front of the near plane or beyond the guard band
};

HD inline ScreenVertex projectVertex(const RasterView& view, Vec3f position) {
    const Vec3f p = inView(view, fromEye(view, position));
    ScreenVertex v;
    const float inverse = view.orthographic ? 1.0f : 1.0f / p.z;
    const float x = view.scale * (p.x * inverse), y = view.scale * (p.y * inverse);
    const bool kept = // false for NaN and infinity
        p.z >= view.nearPlane && p.z < std::numeric_limits<float>::infinity() && x >= -kGuardBand &&
        x <= kGuardBand && y >= -kGuardBand && y <= kGuardBand;
    if (!kept) {
        v.state = isFinite(p) ? ScreenVertex::outside : ScreenVertex::notFinite;
        return v;
    }
    v.x = inPart(snap(view.centreX + x), view.offsetX);
    v.y = inPart(snap(view.centreY + y), view.offsetY);
    v.depth = view.orthographic ? p.z : inverse;
    return v;
}

/// Returns the depth value that projectVertex() computes for a drawable vertex.
HD inline float screenDepth(const RasterView& view, Vec3f position) {
    const float w = dot(view.forward, fromEye(view, position));
    return view.orthographic ? w : 1.0f / w;
}

/// Returns the ray through a pixel's centre. In perspective: its direction, for the parameter w. In an
/// orthographic view, where the ray is parallel to `forward`: its start relative to the eye.
HD inline Vec3f pixelRay(const RasterView& view, int x, int y) {
    const float sx = (static_cast<float>(x + view.offsetX) + 0.5f - view.centreX) * view.inverseScale;
    const float sy = (static_cast<float>(y + view.offsetY) + 0.5f - view.centreY) * view.inverseScale;
    const Vec3f across = view.right * sx + view.down * sy;
    return view.orthographic ? across : across + view.forward;
}

/// Converts a positive depth value to an integer that increases towards the eye: bits(1 / w), or 0x7fffffff -
/// bits(w) in an orthographic view.
HD inline std::uint32_t depthKey(float depth, bool orthographic) {
    const auto bits = std::bit_cast<std::uint32_t>(depth);
    return orthographic ? 0x7fffffffu - bits : bits;
}
/// Returns the distance along the view of a depth key, metres.
HD inline float depthMetres(std::uint32_t key, bool orthographic) {
    return orthographic ? std::bit_cast<float>(0x7fffffffu - key) : 1.0f / std::bit_cast<float>(key);
}
/// Returns the value of a pixel in the visibility buffer. The largest value of a pixel is the nearest
/// fragment.
HD inline std::uint64_t fragment(std::uint32_t key, std::uint32_t id) {
    return static_cast<std::uint64_t>(key) << 32 | static_cast<std::uint32_t>(~id);
}

/// Pixels [minX, maxX] x [minY, maxY], inclusive.
struct PixelBox {
    int minX, minY, maxX, maxY;
    HD bool empty() const { return minX > maxX || minY > maxY; }
    HD std::int64_t count() const { return std::int64_t(maxX - minX + 1) * (maxY - minY + 1); }
};
inline constexpr PixelBox kNoPixels{std::numeric_limits<int>::max(), std::numeric_limits<int>::max(),
                                    std::numeric_limits<int>::min(), std::numeric_limits<int>::min()};
/// Returns the box around two boxes, either of which may be kNoPixels.
HD inline PixelBox around(PixelBox a, PixelBox b) {
    return {a.minX < b.minX ? a.minX : b.minX, a.minY < b.minY ? a.minY : b.minY,
            a.maxX > b.maxX ? a.maxX : b.maxX, a.maxY > b.maxY ? a.maxY : b.maxY};
}
HD inline bool doMeet(PixelBox a, PixelBox b) {
    return a.minX <= b.maxX && b.minX <= a.maxX && a.minY <= b.maxY && b.minY <= a.maxY;
}
HD inline PixelBox clipped(PixelBox box, int width, int height) {
    return {box.minX < 0 ? 0 : box.minX, box.minY < 0 ? 0 : box.minY, box.maxX < width ? box.maxX : width - 1,
            box.maxY < height ? box.maxY : height - 1};
}

} // namespace scanloupe
