// Moves points in double precision, and stores them in the file's type.
#include "engine/edit/moved_positions.h"

#include "engine/cloud/cloud_limits.h"
#include "engine/cloud/error.h"
#include "engine/cloud/scaled_frame.h"
#include "kernels/core/parallel.h"

#include <atomic>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>

namespace scanloupe {

namespace {

constexpr std::size_t kMovedPositionsGrain = 1 << 16;

/// Returns coordinates converted to the type `Moved`, with those of the points in the set moved.
template <class Moved, class Held, class Move>
Moved changed(const Held& held, const PointSet& set, Move&& move, const std::stop_token& stop) {
    using Point = std::remove_cvref_t<decltype(std::declval<Moved>().xyz[0])>;
    Moved moved;
    moved.xyz = Buffer<Point>::host(held.xyz.size());
    parallelFor(held.xyz.size(), kMovedPositionsGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            moved.xyz[i] = move(held.xyz[i], set.has(i));
    });
    return moved;
}

/// Returns the bounds of the points after the motion, without a few outliers. @param at positions before the
/// motion
Bounds boundsAfter(std::size_t size, const PointSet& set, const RigidTransform& motion,
                   const std::function<Vec3d(std::size_t)>& at) {
    return detail::trimmedBounds(size, [&](std::size_t i) { return set.has(i) ? motion(at(i)) : at(i); }, {});
}

Positions movedOf(const FloatPositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    const Bounds after =
        boundsAfter(held.xyz.size(), set, motion, [&](std::size_t i) { return held.xyz[i].as<double>(); });
    if (detail::roundedOrigin(after) == Vec3d{})
        return changed<FloatPositions>(
            held, set,
            [&](Vec3f p, bool isMoved) { return isMoved ? motion(p.as<double>()).as<float>() : p; }, stop);
    return changed<DoublePositions>(
        held, set, [&](Vec3f p, bool isMoved) { return isMoved ? motion(p.as<double>()) : p.as<double>(); },
        stop);
}

Positions movedOf(const DoublePositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    auto moved = changed<DoublePositions>(
        held, set, [&](Vec3d p, bool isMoved) { return isMoved ? motion(p) : p; }, stop);
    moved.decimals = held.decimals;
    return moved;
}

/// Returns the moved coordinates as integers relative to `offset`; none if they can't represent a position.
std::optional<ScaledPositions> movedFrom(Vec3d offset, const ScaledPositions& held, const PointSet& set,
                                         const RigidTransform& motion, const std::stop_token& stop) {
    const ScaledFrame frame(held.scale, held.offset);
    std::atomic<bool> fits = true;
    auto moved = changed<ScaledPositions>(
        held, set,
        [&](Vec3i p, bool isMoved) {
            if (!isMoved && offset == held.offset)
                return p;
            const Vec3d place = frame.position(p);
            const Vec3d counts = ((isMoved ? motion(place) : place) - offset) / held.scale;
            Vec3i stored;
            for (int axis = 0; axis < 3; ++axis) {
                const double rounded = std::round(counts[axis]);
                if (!(std::abs(rounded) <= double(std::numeric_limits<std::int32_t>::max())))
                    fits = false;
                else
                    stored[axis] = std::int32_t(rounded);
            }
            return stored;
        },
        stop);
    if (!fits)
        return std::nullopt;
    moved.scale = held.scale;
    moved.offset = offset;
    return moved;
}

Positions movedOf(const ScaledPositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    if (auto moved = movedFrom(held.offset, held, set, motion, stop))
        return std::move(*moved);
    const ScaledFrame frame(held.scale, held.offset);
    const Bounds after =
        boundsAfter(held.xyz.size(), set, motion, [&](std::size_t i) { return frame.position(held.xyz[i]); });
    Vec3d offset = held.offset;
    for (int axis = 0; axis < 3; ++axis) {
        const double middle = (after.min[axis] + after.max[axis]) / 2;
        offset[axis] += std::round((middle - offset[axis]) / held.scale[axis]) * held.scale[axis];
    }
    if (auto moved = movedFrom(offset, held, set, motion, stop))
        return std::move(*moved);
    throw EngineError(
        "The moved points are outside the range of the integer coordinates in their file.",
        "Use a smaller motion, or convert the scan to a format with decimal coordinates such as PLY.");
}

} // namespace

Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop) {
    return std::visit([&](const auto& held) { return movedOf(held, set, motion, stop); }, positions);
}

Bounds boxAfter(const RigidTransform& motion, const Bounds& box) {
    if (motion == RigidTransform{})
        return box; // the identity keeps the box exactly
    const Vec3d middle = motion(box.min + (box.max - box.min) / 2.0), half = (box.max - box.min) / 2.0;
    Vec3d reach;
    for (int axis = 0; axis < 3; ++axis)
        for (int other = 0; other < 3; ++other)
            reach[axis] += std::abs(motion.rows[axis][other]) * half[other];
    return {middle - reach, middle + reach};
}

} // namespace scanloupe
