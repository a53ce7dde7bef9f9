#pragma once
// Declares cells that list the segments of strokes, so that a point asks only those near it.
#include "kernels/core/buffer.h"
#include "kernels/select/point_predicates.h"

#include <span>
#include <vector>

namespace scanloupe {

/// Adds the segments between the places of a stroke.
void addSegments(std::span<const Vec3f> path, std::vector<StrokeSegment>& segments);

/// Segments of one radius, in cells about twice as large as that.
struct StrokeGrid {
    Buffer<StrokeSegment> segments; ///< [K] metres, relative to the points' origin
    float radius = 0;
    Vec3f low;
    float perCell = 0;
    Vec3i dims;
    Buffer<std::uint32_t> starts; ///< [cells + 1]
    Buffer<std::uint32_t> near;   ///< the segments near each cell

    /// @param segments [K] finite; @param radius > 0. Without a segment it holds for no point
    static StrokeGrid of(std::span<const StrokeSegment> segments, float radius);
    /// @note the grid must outlive it
    StrokePredicate predicate() const;
    StrokeGrid copyTo(MemorySpace space, StreamView stream) const;
};

} // namespace scanloupe
