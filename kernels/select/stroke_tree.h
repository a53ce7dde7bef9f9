#pragma once
// Declares a tree over the segments of strokes, so that each point is compared only with nearby segments.
#include "kernels/core/buffer.h"
#include "kernels/mesh/distance/bvh.h"
#include "kernels/select/point_predicates.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// Appends the segments between consecutive places of a stroke to `segments`. @param path places in metres
void addSegments(std::span<const Vec3f> path, std::vector<StrokeSegment>& segments);

/// Segments with a common radius, and a tree over pieces of these segments.
struct StrokeTree {
    Buffer<StrokeSegment> segments;  ///< [K] metres, relative to the points' origin
    Buffer<std::uint32_t> segmentOf; ///< [P] index of each piece's segment
    Bvh tree;                        ///< tree over the boxes of the pieces
    float radius = 0;

    /// Builds a tree. Without segments, its predicate is false for all points. @param segments [K] finite,
    /// metres @param radius > 0, metres
    /// @throws Cancelled
    static StrokeTree of(std::span<const StrokeSegment> segments, float radius, const std::stop_token& stop);
    /// Returns the predicate of points within the radius of a segment. @note the tree must outlive it
    StrokePredicate predicate() const;
    StrokeTree copyTo(MemorySpace space, StreamView stream) const;
};

} // namespace scanloupe
