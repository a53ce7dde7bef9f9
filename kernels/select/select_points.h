#pragma once
// Declares the selection of points, and operations on selected points.
#include "kernels/core/queue/queue.h"
#include "kernels/select/point_predicates.h"
#include "kernels/select/point_set.h"

#include <cstdint>
#include <span>

namespace scanloupe {

/// Colour of selected points: two thirds of this colour are mixed with one third of the original colour.
inline constexpr std::uint32_t kChosenColour = 0xff1e90ffu; // RGBA in memory: orange

// The operators below take data where they compute, and leave their results there. All throw
// DeviceMemoryShort and KernelError if memory is short, and Cancelled. They are asynchronous on the device,
// except for countOf().

/// The present points for which a predicate is true. @param points [N, 3] metres
PointSet selectPoints(HostQueue& q, std::span<const Vec3f> points, const PointPredicate& predicate);
PointSet selectPoints(CudaQueue& q, std::span<const Vec3f> points, const PointPredicate& predicate);
inline PointSet selectPoints(std::span<const Vec3f> points, const PointPredicate& predicate,
                             const Execution& on) {
    return onQueue(on, [&](auto& q) { return selectPoints(q, points, predicate); });
}

/// Combines a set with another one of the same size.
void combine(HostQueue& q, PointSet& set, const PointSet& other, SetOperation operation);
void combine(CudaQueue& q, PointSet& set, const PointSet& other, SetOperation operation);
inline void combine(PointSet& set, const PointSet& other, SetOperation operation, const Execution& on) {
    return onQueue(on, [&](auto& q) { return combine(q, set, other, operation); });
}

/// The number of items. @note Synchronizes.
std::uint64_t countOf(HostQueue& q, const PointSet& set);
std::uint64_t countOf(CudaQueue& q, const PointSet& set);
inline std::uint64_t countOf(const PointSet& set, const Execution& on) {
    return onQueue(on, [&](auto& q) { return countOf(q, set); });
}

/// The depth bits of the nearest point at each pixel of a window, metres, [height, width]; infinite without
/// any. A point covers the pixels within `radius`, metres, of it, at most 8 in each direction.
Buffer<std::uint32_t> nearestDepths(HostQueue& q, std::span<const Vec3f> points, const ViewWindow& window,
                                    float radius);
Buffer<std::uint32_t> nearestDepths(CudaQueue& q, std::span<const Vec3f> points, const ViewWindow& window,
                                    float radius);
inline Buffer<std::uint32_t> nearestDepths(std::span<const Vec3f> points, const ViewWindow& window,
                                           float radius, const Execution& on) {
    return onQueue(on, [&](auto& q) { return nearestDepths(q, points, window, radius); });
}

/// The voxels that contain a point of the set. @param pointVoxel [N]
PointSet voxelsOf(HostQueue& q, const PointSet& set, const Buffer<std::uint32_t>& pointVoxel,
                  std::size_t voxels);
PointSet voxelsOf(CudaQueue& q, const PointSet& set, const Buffer<std::uint32_t>& pointVoxel,
                  std::size_t voxels);
inline PointSet voxelsOf(const PointSet& set, const Buffer<std::uint32_t>& pointVoxel, std::size_t voxels,
                         const Execution& on) {
    return onQueue(on, [&](auto& q) { return voxelsOf(q, set, pointVoxel, voxels); });
}

/// Moves points of the set to kCutAway.
void removePoints(HostQueue& q, Buffer<Vec3f>& points, const PointSet& set);
void removePoints(CudaQueue& q, Buffer<Vec3f>& points, const PointSet& set);
inline void removePoints(Buffer<Vec3f>& points, const PointSet& set, const Execution& on) {
    return onQueue(on, [&](auto& q) { return removePoints(q, points, set); });
}

/// Mixes the colours of items in the set with kChosenColour.
/// @param items null: colour i is that of item i; else [count] the item of each colour, any number past the
/// set's size for none
void tintChosen(HostQueue& q, Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items);
void tintChosen(CudaQueue& q, Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items);
inline void tintChosen(Buffer<std::uint32_t>& rgba, const PointSet& set, const std::uint32_t* items,
                       const Execution& on) {
    return onQueue(on, [&](auto& q) { return tintChosen(q, rgba, set, items); });
}

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
