#pragma once
// Decides which points are selected, for both backends: by an outline in a view, near a stroke, by a plane, a
// box, an attribute, or the cell that contains the point. All pointers of a predicate refer to memory of the
// backend.
#include "kernels/core/hd.h"
#include "kernels/core/scalar_type.h"
#include "kernels/core/vec3.h"
#include "kernels/cut/cut_points.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/raster/core/camera.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <variant>

namespace scanloupe {

/// Selects all present points.
struct PresentPredicate {
    HD bool operator()(Vec3f, std::size_t) const { return true; }
};

/// A rectangle of pixels of a view, and the projection of points into it.
struct ViewWindow {
    Vec3f eye, right, down, forward; ///< `eye`: metres, relative to the points' origin; the others are unit
                                     ///< vectors
    float scale = 1, centreX = 0, centreY = 0, nearPlane = 0;
    bool orthographic = false;
    int left = 0, top = 0, width = 0, height = 0; ///< the rectangle in pixels of the view

    ViewWindow() = default;
    /// @param view projection of the view; its eye is relative to the points' origin
    ViewWindow(const Projection& view, int left_, int top_, int width_, int height_)
        : eye(view.eye.as<float>()), right(view.right), down(view.down), forward(view.forward),
          scale(view.scale), centreX(view.centreX - float(left_)), centreY(view.centreY - float(top_)),
          nearPlane(view.nearPlane), orthographic(view.orthographic), left(left_), top(top_), width(width_),
          height(height_) {}

    /// The projection of a point into the window.
    struct Place {
        float x, y;  ///< pixels from the window's upper left corner
        float depth; ///< metres along the viewing direction
        float pixelsPerMetre;
    };
    HD Place placeOf(Vec3f p) const {
        const Vec3f away = p - eye;
        const float depth = dot(forward, away);
        const float perMetre = orthographic ? scale : scale / depth;
        return {centreX + dot(right, away) * perMetre, centreY + dot(down, away) * perMetre, depth, perMetre};
    }
    HD bool holds(const Place& at) const {
        return at.depth > nearPlane && at.x >= 0 && at.x < float(width) && at.y >= 0 && at.y < float(height);
    }
};

/// Selects points that a view shows inside an outline.
struct OutlinePredicate {
    ViewWindow window;
    const std::uint32_t* pixels = nullptr; ///< [height, rowWords] one bit per pixel: inside the outline
    int rowWords = 0;
    /// [height, width] bits of the depth of the nearest point at each pixel; null: hidden points are
    /// selected, too
    const std::uint32_t* nearest = nullptr;
    float slack = 0; ///< metres behind the nearest point within which a point still counts as visible

    HD bool operator()(Vec3f p, std::size_t) const {
        const ViewWindow::Place at = window.placeOf(p);
        if (!window.holds(at))
            return false;
        const int x = int(at.x), y = int(at.y);
        if (!(pixels[std::size_t(y) * std::size_t(rowWords) + std::size_t(x >> 5)] >> (x & 31) & 1u))
            return false;
        return !nearest || isSeen(x, y, at.depth);
    }
    /// Returns whether a point at a pixel is visible, i.e. not hidden by a nearer point.
    HD bool isSeen(int x, int y, float depth) const { return depth <= depthAt(x, y) + slack; }
    HD float depthAt(int x, int y) const {
        return std::bit_cast<float>(nearest[std::size_t(y) * std::size_t(window.width) + std::size_t(x)]);
    }
};

/// A segment of a stroke; both ends coincide for a single dab.
struct StrokeSegment {
    Vec3f from, to; ///< metres, relative to the points' origin
};

/// Selects points within a radius of any segment. A tree over pieces of the segments finds the segments near
/// a point.
struct StrokePredicate {
    const StrokeSegment* segments = nullptr;
    const std::uint32_t* segmentOf = nullptr; ///< index of the segment of each item of the tree
    BvhView tree{};
    float radius = 0;

    HD bool operator()(Vec3f p, std::size_t) const {
        // tolerance for rounding
        const double reach = 1.001 * static_cast<double>(radius) * static_cast<double>(radius);
        if (tree.levels == 0 || static_cast<double>(squaredDistanceLowerBound(
                                    tree.boxes[tree.levelBegins[tree.levels - 1]], p)) > reach)
            return false;
        bool isNear = false;
        forItemsNear(
            tree, p, [&] { return isNear ? -1.0 : reach; }, // a negative limit ends the search after the
                                                            // first segment within reach
            [&](std::uint32_t piece) {
                const StrokeSegment& segment = segments[segmentOf[piece]];
                isNear = isNear || squaredDistance(p, segment.from, segment.to) <= radius * radius;
            });
        return isNear;
    }
    HD static float squaredDistance(Vec3f p, Vec3f a, Vec3f b) {
        const Vec3f along = b - a, away = p - a;
        const float length = dot(along, along);
        float t = length > 0 ? dot(away, along) / length : 0.0f;
        t = t < 0 ? 0.0f : t > 1 ? 1.0f : t;
        const Vec3f rest = away - along * t;
        return dot(rest, rest);
    }
};

/// Selects points on the side of a plane that its normal points to.
struct PlanePredicate {
    Vec3f at, normal;
    HD bool operator()(Vec3f p, std::size_t) const { return dot(normal, p - at) >= 0; }
};

/// Selects points that a box or a slab keeps.
struct CutPredicate {
    PointCut cut;
    HD bool operator()(Vec3f p, std::size_t) const { return cut.keeps(p); }
};

/// Selects points whose attribute is within a closed range.
struct ValuePredicate {
    const void* column = nullptr; ///< [N] values of the attribute
    ScalarType type = ScalarType::float32;
    double low = 0, high = 0;
    HD bool operator()(Vec3f, std::size_t i) const {
        const double value = scalarAt(column, type, i);
        return value >= low && value <= high;
    }
};

/// Selects points whose code is in a set of codes. A code is a class, or the index of the point's voxel.
struct CodePredicate {
    const std::uint32_t* codes = nullptr;  ///< [N] code of each point
    const std::uint32_t* wanted = nullptr; ///< [count] one bit per code: selected
    std::uint32_t count = 0;
    HD bool operator()(Vec3f, std::size_t i) const {
        const std::uint32_t code = codes[i];
        return code < count && wanted[code >> 5] >> (code & 31) & 1u;
    }
};

using PointPredicate = std::variant<PresentPredicate, OutlinePredicate, StrokePredicate, PlanePredicate,
                                    CutPredicate, ValuePredicate, CodePredicate>;

} // namespace scanloupe
