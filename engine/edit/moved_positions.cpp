// Moves points in double precision, and stores them as the file does.
#include "engine/edit/moved_positions.h"

#include "engine/cloud/error.h"
#include "kernels/core/parallel.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <type_traits>

namespace scanloupe {

namespace {

constexpr std::size_t kGrain = 1 << 16;

template <class Held, class Move>
Held changed(const Held& held, const PointSet& set, Move&& move, const std::stop_token& stop) {
    using Point = std::remove_cvref_t<decltype(held.xyz[0])>;
    Held moved;
    moved.xyz = Buffer<Point>::host(held.xyz.size());
    parallelFor(held.xyz.size(), kGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            moved.xyz[i] = set.has(i) ? move(held.xyz[i]) : held.xyz[i];
    });
    return moved;
}

Positions movedOf(const FloatPositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    return changed(
        held, set, [&](Vec3f p) { return motion(p.as<double>()).as<float>(); }, stop);
}

Positions movedOf(const DoublePositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    auto moved = changed(held, set, motion, stop);
    moved.decimals = held.decimals;
    return moved;
}

Positions movedOf(const ScaledPositions& held, const PointSet& set, const RigidTransform& motion,
                  const std::stop_token& stop) {
    const ScaledFrame frame(held.scale, held.offset);
    std::atomic<bool> fits = true;
    auto moved = changed(
        held, set,
        [&](Vec3i p) {
            const Vec3d place = (motion(frame.position(p)) - held.offset) / held.scale;
            Vec3i stored;
            for (int axis = 0; axis < 3; ++axis) {
                const double rounded = std::round(place[axis]);
                if (!(std::abs(rounded) <= double(std::numeric_limits<std::int32_t>::max())))
                    fits = false;
                else
                    stored[axis] = std::int32_t(rounded);
            }
            return stored;
        },
        stop);
    if (!fits)
        throw EngineError("The points were moved farther than the integer coordinates of their file reach.",
                          "Move them less far, or convert the scan to a format with decimal coordinates.");
    moved.scale = held.scale;
    moved.offset = held.offset;
    return moved;
}

} // namespace

Positions movedPositions(const Positions& positions, const PointSet& set, const RigidTransform& motion,
                         const std::stop_token& stop) {
    return std::visit([&](const auto& held) { return movedOf(held, set, motion, stop); }, positions);
}

} // namespace scanloupe
