#pragma once
// Declares the selection of points, and operations on selected points, for both backends.
#include "kernels/core/stream.h"
#include "kernels/select/point_predicates.h"
#include "kernels/select/point_set.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

/// Colour of selected points: two thirds of this colour are mixed with one third of the original colour.
inline constexpr std::uint32_t kChosenColour = 0xff1e90ffu; // RGBA in memory: orange

namespace cpu {
/// Returns the present points for which a predicate is true. @param points [N, 3] metres @throws Cancelled
PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate,
                      const std::stop_token& stop);
void combine(PointSet& set, const PointSet& other, SetOperation operation);
std::uint64_t countOf(const PointSet& set);
/// Returns the depth of the nearest point at each pixel of a window: [height, width], bits of floats in
/// metres, infinite where there is no point. A point covers the pixels within `radius` metres of it, at most
/// 8 in each direction.
/// @param points [N, 3] metres @throws Cancelled
Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window, float radius,
                                    const std::stop_token& stop);
/// Returns the voxels that contain a point of the set. @param pointVoxel [N] index of each point's voxel
/// @throws Cancelled
PointSet voxelsOf(const PointSet& set, std::span<const std::uint32_t> pointVoxel, std::size_t voxels,
                  const std::stop_token& stop);
/// Moves the points of the set to kCutAway. @throws Cancelled
void removePoints(std::span<Vec3f> points, const PointSet& set, const std::stop_token& stop);
/// Mixes kChosenColour into the colours of items in the set.
/// @param items [count] index of the item that each colour belongs to; an index beyond the set's size means
/// no item. Null: colour i belongs to item i
void tintChosen(std::span<std::uint32_t> rgba, const PointSet& set, const std::uint32_t* items,
                const std::stop_token& stop);
} // namespace cpu

/// Same functions as in cpu, with identical bytes; all data is on the device. Asynchronous except for
/// countOf.
namespace cuda {
PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate, StreamView stream);
void combine(PointSet& set, const PointSet& other, SetOperation operation, StreamView stream);
std::uint64_t countOf(const PointSet& set, StreamView stream);
Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window, float radius,
                                    StreamView stream);
PointSet voxelsOf(const PointSet& set, const Buffer<std::uint32_t>& pointVoxel, std::size_t voxels,
                  StreamView stream);
void removePoints(Buffer<Vec3f>& points, const PointSet& set, StreamView stream);
void tintChosen(Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items,
                StreamView stream);
} // namespace cuda

namespace detail {
HD inline std::uint32_t combinedWord(std::uint32_t set, std::uint32_t other, SetOperation operation) {
    switch (operation) {
    case SetOperation::replace:
        return other;
    case SetOperation::add:
        return set | other;
    case SetOperation::intersect:
        return set & other;
    case SetOperation::subtract:
        break;
    }
    return set & ~other;
}

/// Returns a colour with one third of `rgba` and two thirds of kChosenColour in each component; the opacity
/// is unchanged.
HD inline std::uint32_t tinted(std::uint32_t rgba) {
    std::uint32_t mixed = rgba & 0xff000000u;
    for (int shift = 0; shift < 24; shift += 8)
        mixed |= ((rgba >> shift & 0xffu) + 2 * (kChosenColour >> shift & 0xffu)) / 3 << shift;
    return mixed;
}

/// The pixels that a point covers in a window; empty if `last` is below `first`.
struct CoveredPixels {
    int firstX, lastX, firstY, lastY;
};
HD inline CoveredPixels coveredPixels(const ViewWindow& window, const ViewWindow::Place& at, float radius) {
    constexpr float most = 8;
    float reach = radius * at.pixelsPerMetre;
    reach = reach < most ? reach : most;
    const auto clamped = [](float value, int end) {
        return value < 0 ? 0 : value >= float(end) ? end - 1 : int(value);
    };
    return {clamped(at.x - reach, window.width), clamped(at.x + reach, window.width),
            clamped(at.y - reach, window.height), clamped(at.y + reach, window.height)};
}
} // namespace detail

} // namespace scanloupe
