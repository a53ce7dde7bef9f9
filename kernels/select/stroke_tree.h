#pragma once
// Declares a tree over the segments of strokes, so that a point is only compared with nearby ones.
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/select/point_predicates.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Adds the segments between the places of a stroke.
void addSegments(std::span<const Vec3f> path, std::vector<StrokeSegment>& segments);

/// Segments of one radius, and a tree over pieces of them.
struct StrokeTree {
    Buffer<StrokeSegment> segments;  ///< [K] metres, relative to the points' origin
    Buffer<std::uint32_t> segmentOf; ///< [P] segment of each piece
    Bvh tree;                        ///< over the boxes of the pieces
    float radius = 0;

    /// @param segments [K] finite; @param radius > 0. The predicate is false for all points without segments.
    /// @throws Cancelled
    static StrokeTree of(std::span<const StrokeSegment> segments, float radius, const std::stop_token& stop);
    /// @note the tree must outlive it
    StrokePredicate predicate() const;
    StrokeTree copyTo(MemorySpace space, StreamView stream) const;
};

} // namespace scanloupe
