#pragma once
// Declares cells that list the segments of a stroke, so that a point asks only those near it.
#include "kernels/core/buffer.h"
#include "kernels/select/point_predicates.h"

#include <span>

namespace scanloupe {

/// A line of segments, in cells about twice as large as its radius.
struct StrokeGrid {
    Buffer<Vec3f> path; ///< [K] metres, relative to the points' origin
    float radius = 0;
    Vec3f low;
    float perCell = 0;
    Vec3i dims;
    Buffer<std::uint32_t> starts;   ///< [cells + 1]
    Buffer<std::uint32_t> segments; ///< those near each cell

    /// @param path [K] finite; @param radius > 0. Without a point it holds for none
    static StrokeGrid of(std::span<const Vec3f> path, float radius);
    /// @note the grid must outlive it
    StrokePredicate predicate() const;
    StrokeGrid copyTo(MemorySpace space, StreamView stream) const;
};

} // namespace scanloupe
