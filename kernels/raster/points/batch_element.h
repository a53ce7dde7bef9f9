#pragma once
// Quantizes bounding boxes of point groups, and projects them conservatively onto the screen, for both
// backends. A group is culled only if none of its points can change a pixel, whatever the rounding.
#include "kernels/raster/core/conservative_cull.h"
#include "kernels/raster/points/point_batches.h"
#include "kernels/raster/points/point_square.h"

namespace scanloupe {

inline constexpr float kLargestBoxed = 1e15f; ///< Maximum absolute coordinate, metres, of points with boxes;
                                              ///< products of larger coordinates might overflow.
/// Bound of the rounding errors of a view coordinate, of this projection and the exact one together, relative
/// to the distances that it is computed from. Covers about 20 roundings.
inline constexpr float kBoxSlack = 2e-6f;

HD inline bool canBeBoxed(Vec3f p) {
    return std::fabs(p.x) < kLargestBoxed && std::fabs(p.y) < kLargestBoxed && std::fabs(p.z) < kLargestBoxed;
}

/// Returns the box step of a batch that extends from `low` to `high` along one axis; never too small to
/// divide by.
HD inline float boxStep(float low, float high) {
    return std::fmax((high - low) / static_cast<float>(kBoxSteps - 3), 1e-30f);
}
/// Quantizes the box from `low` to `high`, rounding outwards.
HD inline GroupBox groupBox(const PointBatch& batch, Vec3f low, Vec3f high) {
    constexpr float rounding = 1e-3f; // in steps: 8 times the rounding error of a quotient of 1020
    GroupBox box{0, 0};
    for (int k = 0; k < 3; ++k) {
        const float from = std::floor((low[k] - batch.origin[k]) / batch.step[k] - rounding),
                    to = std::ceil((high[k] - batch.origin[k]) / batch.step[k] + rounding);
        // step 0 is the batch's exact origin
        const auto first = static_cast<std::uint32_t>(std::fmax(from, 0.0f));
        box.first |= first << (10 * k);
        box.extent |= (static_cast<std::uint32_t>(to) - first) << (10 * k);
    }
    return box;
}
HD inline Vec3f boxPart(std::uint32_t packed) {
    return Vec3f{static_cast<float>(packed & 1023u), static_cast<float>(packed >> 10 & 1023u),
                 static_cast<float>(packed >> 20 & 1023u)};
}
/// Returns whether a group spans more than a quarter of its batch, which indicates that consecutive points
/// are not neighbours.
HD inline bool isOversized(GroupBox box) {
    const Vec3f extent = boxPart(box.extent);
    return std::fmax(extent.x, std::fmax(extent.y, extent.z)) > static_cast<float>(kBoxSteps) / 4;
}

/// A batch in view coordinates: the change of each coordinate per box step along x, y and z, and half of its
/// absolute value. Right and down are in metres times the view's scale.
struct BatchView {
    Vec3f right, down, forward, halfRight, halfDown, halfForward;
    float x, y, z;                   ///< view coordinates of the batch's origin
    float slackAcross, slackForward; ///< bounds of the rounding errors of coordinates
};

HD inline BatchView batchView(const RasterView& view, const CullView& cull, const PointBatch& batch) {
    const Vec3f q = fromEye(view, batch.origin);
    const auto along = [&](const Vec3f& axis) {
        return std::fma(axis.x, q.x, std::fma(axis.y, q.y, axis.z * q.z));
    };
    const auto half = [](Vec3f v) {
        return Vec3f{0.5f * std::fabs(v.x), 0.5f * std::fabs(v.y), 0.5f * std::fabs(v.z)};
    };
    BatchView b;
    b.right = cull.right * batch.step;
    b.down = cull.down * batch.step;
    b.forward = view.forward * batch.step;
    b.halfRight = half(b.right);
    b.halfDown = half(b.down);
    b.halfForward = half(b.forward);
    b.x = along(cull.right);
    b.y = along(cull.down);
    b.z = along(view.forward);
    const float reach = std::fabs(q.x) + std::fabs(q.y) + std::fabs(q.z) +
                        (batch.step.x + batch.step.y + batch.step.z) * static_cast<float>(kBoxSteps);
    b.slackForward = kBoxSlack * reach;
    b.slackAcross = b.slackForward * view.scale;
    return b;
}

/// Maximum width, in pixels, by which the size of points may enlarge a group whose bounds are still computed.
inline constexpr float kMaxPointReach = 13;

/// Upper bound of the pixels that a group of points draws.
struct GroupPixels {
    enum Kind : std::uint8_t {
        nothing, ///< all points are in front of the near plane, or outside the picture
        within,  ///< the points draw at most the pixels of `box`, with depth keys up to `nearest`
        unknown, ///< no useful bound exists: the points must be projected individually
    };
    Kind kind = unknown;
    PixelBox box{};
    std::uint32_t nearest = 0;
};

/// Bounds the pixels that a group of points draws.
/// @param box the group's bounding box
/// @param size, extent of a point as in RasterScene; ignored for OnePixel
/// @param most maximum extent of a group, pixels; the result for larger groups is `unknown`
template <bool Orthographic, bool OnePixel, class Reciprocal>
HD GroupPixels groupPixels(const RasterView& view, const CullView& cull, const BatchView& batch, GroupBox box,
                           float size, float extent, float most, Reciprocal&& reciprocal) {
    GroupPixels pixels;
    const Vec3f e = boxPart(box.extent), first = boxPart(box.first);
    const Vec3f middle{std::fma(e.x, 0.5f, first.x), std::fma(e.y, 0.5f, first.y),
                       std::fma(e.z, 0.5f, first.z)};
    const auto at = [](const Vec3f& axis, Vec3f v, float from) {
        return std::fma(axis.x, v.x, std::fma(axis.y, v.y, std::fma(axis.z, v.z, from)));
    };
    const float z = at(batch.forward, middle, batch.z), halfZ = at(batch.halfForward, e, batch.slackForward);
    const float nearZ = z - halfZ, farZ = z + halfZ;
    if (!(nearZ >= cull.front)) { // also true for NaN
        pixels.kind = farZ < view.nearPlane ? GroupPixels::nothing : GroupPixels::unknown;
        return pixels;
    }
    const float x = at(batch.right, middle, batch.x), halfX = at(batch.halfRight, e, batch.slackAcross);
    const float y = at(batch.down, middle, batch.y), halfY = at(batch.halfDown, e, batch.slackAcross);
    const float ofNear = Orthographic ? 1.0f : reciprocal(nearZ),
                ofFar = Orthographic ? 1.0f : reciprocal(farZ);
    const auto leastOf = [&](float v) { return v * (v < 0 ? ofNear : ofFar); };
    const auto maxOf = [&](float v) { return v * (v < 0 ? ofFar : ofNear); };
    // A point of one pixel covers a pixel centre at most half a pixel away.
    float reach = 0.5f + 2 * cull.margin;
    if constexpr (!OnePixel)
        reach +=
            std::fmax(0.5f, 0.5f * std::fmin(kLargestPoint, std::fmax(size, extent * view.scale * ofNear))) -
            0.5f + 4.0f / kSubpixels;
    const float minX = std::fmax(leastOf(x - halfX) + cull.sampleX - reach, -0.5f),
                maxX = std::fmin(maxOf(x + halfX) + cull.sampleX + reach, cull.lastX - 1.5f),
                minY = std::fmax(leastOf(y - halfY) + cull.sampleY - reach, -0.5f),
                maxY = std::fmin(maxOf(y + halfY) + cull.sampleY + reach, cull.lastY - 1.5f);
    if (!(halfX + halfY < kLargestCullable)) // negated so that NaN, which fmin and fmax above have ignored,
                                             // takes this branch
        return pixels;
    if (maxX < 0 || maxY < 0 || minX > maxX || minY > maxY) {
        pixels.kind = GroupPixels::nothing;
        return pixels;
    }
    const float largest = most + kMaxPointReach;
    if (!(halfX * ofNear * 2 < most && halfY * ofNear * 2 < most && maxX - minX < largest &&
          maxY - minY < largest))
        return pixels;
    pixels.box = {static_cast<int>(std::ceil(minX)), static_cast<int>(std::ceil(minY)),
                  static_cast<int>(std::floor(maxX)), static_cast<int>(std::floor(maxY))};
    pixels.nearest = Orthographic ? depthKey(nearZ, true) : depthKey(ofNear * cull.depthSlack, false);
    pixels.kind = pixels.box.empty() ? GroupPixels::nothing : GroupPixels::within;
    return pixels;
}

} // namespace scanloupe
