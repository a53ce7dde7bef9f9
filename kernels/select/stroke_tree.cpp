// Builds a tree over pieces of the segments of strokes.
#include "kernels/select/stroke_tree.h"

#include "kernels/core/error.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr double kMaxSplits = 1 << 20; // maximum number of pieces in addition to one per segment
constexpr double kPieceRadii = 4; // length of a piece in radii, unless that gives more pieces than kMaxSplits
constexpr std::size_t kSegmentsBetweenChecks = 1 << 14; // these take less than a millisecond

float largestCoordinate(const StrokeSegment& segment) {
    float largest = 0;
    for (const Vec3f p : {segment.from, segment.to})
        for (int axis = 0; axis < 3; ++axis)
            largest = std::max(largest, std::fabs(p[axis]));
    return largest;
}

} // namespace

void addSegments(std::span<const Vec3f> path, std::vector<StrokeSegment>& segments) {
    if (path.size() == 1)
        segments.push_back({path[0], path[0]});
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
        segments.push_back({path[i], path[i + 1]});
}

StrokeTree StrokeTree::of(std::span<const StrokeSegment> segments, float radius,
                          const std::stop_token& stop) {
    StrokeTree stroke;
    const auto isPlace = [](const StrokeSegment& one) { return isFinite(one.from) && isFinite(one.to); };
    if (segments.empty() || !(radius > 0) || !std::isfinite(radius) ||
        !std::ranges::all_of(segments, isPlace))
        return stroke;
    const auto along = [](const StrokeSegment& one) { return one.to.as<double>() - one.from.as<double>(); };
    double length = 0;
    for (const StrokeSegment& segment : segments)
        length += norm(along(segment));
    // segments are split, since the box of a long oblique segment contains many points far from the segment
    const double pieceLength = std::max(kPieceRadii * double(radius), length / kMaxSplits);
    std::vector<std::uint32_t> segmentOf;
    std::vector<Box3f> boxes;
    for (std::size_t s = 0; s < segments.size(); ++s) {
        if (s % kSegmentsBetweenChecks == 0 && stop.stop_requested())
            throw Cancelled();
        const Vec3d from = segments[s].from.as<double>(), way = along(segments[s]);
        const auto pieces = std::size_t(norm(way) / pieceLength) + 1;
        // single-precision rounding error of the distance from a segment and of the corners computed here
        const float rounding = 1e-6f * (float(norm(way)) + largestCoordinate(segments[s]));
        const Vec3f margin{rounding, rounding, rounding};
        for (std::size_t piece = 0; piece < pieces; ++piece) {
            const auto at = [&](std::size_t end) {
                return (from + way * (double(end) / double(pieces))).as<float>();
            };
            const Vec3f a = at(piece), b = at(piece + 1);
            boxes.push_back({min(a, b) - margin, max(a, b) + margin});
            segmentOf.push_back(std::uint32_t(s));
        }
    }
    stroke.segments = hostCopy(segments);
    stroke.segmentOf = hostCopy(std::span<const std::uint32_t>(segmentOf));
    stroke.tree = cpu::buildBoxBvh(boxes, stop);
    stroke.radius = radius;
    return stroke;
}

StrokePredicate StrokeTree::predicate() const {
    StrokePredicate predicate;
    predicate.segments = segments.data();
    predicate.segmentOf = segmentOf.data();
    predicate.tree = tree.view();
    predicate.radius = radius;
    return predicate;
}

StrokeTree StrokeTree::copyTo(MemorySpace space, StreamView stream) const {
    return {segments.copyTo(space, stream),
            segmentOf.copyTo(space, stream),
            {tree.boxes.copyTo(space, stream), tree.order.copyTo(space, stream), tree.shape},
            radius};
}

} // namespace scanloupe
