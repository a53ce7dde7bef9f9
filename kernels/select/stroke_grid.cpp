// Sorts the segments of a stroke into cells.
#include "kernels/select/stroke_grid.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace scanloupe {

namespace {

constexpr float kMostCells = 64;                               // along an axis
constexpr std::uint64_t kMostEntries = std::uint64_t{1} << 22; // then cells are made larger
constexpr float kMargin = 0.01f; // of a cell: rounding of a point's cell must not lose a segment

/// The cells of a box, from the first to the last.
struct CellBox {
    Vec3i first, last;
    std::uint64_t count() const {
        return std::uint64_t(last.x - first.x + 1) * std::uint64_t(last.y - first.y + 1) *
               std::uint64_t(last.z - first.z + 1);
    }
};

CellBox cellsNear(const StrokeGrid& grid, std::size_t segment) {
    const auto [a, b] = grid.segments[segment];
    CellBox box;
    for (int k = 0; k < 3; ++k) {
        const float low = (std::min(a[k], b[k]) - grid.radius - grid.low[k]) * grid.perCell - kMargin,
                    high = (std::max(a[k], b[k]) + grid.radius - grid.low[k]) * grid.perCell + kMargin;
        box.first[k] = std::int32_t(std::clamp(low, 0.0f, float(grid.dims[k] - 1)));
        box.last[k] = std::int32_t(std::clamp(high, 0.0f, float(grid.dims[k] - 1)));
    }
    return box;
}

template <class Visit>
void forEachCell(const StrokeGrid& grid, const CellBox& box, Visit&& visit) {
    for (std::int32_t z = box.first.z; z <= box.last.z; ++z)
        for (std::int32_t y = box.first.y; y <= box.last.y; ++y)
            for (std::int32_t x = box.first.x; x <= box.last.x; ++x)
                visit(std::size_t((std::int64_t(z) * grid.dims.y + y) * grid.dims.x + x));
}

/// Sets the cells to a size, and returns how many entries their lists would have.
std::uint64_t layOut(StrokeGrid& grid, Vec3f extent, float cell) {
    grid.perCell = 1 / cell;
    for (int k = 0; k < 3; ++k)
        grid.dims[k] = std::int32_t(extent[k] * grid.perCell) + 1;
    std::uint64_t entries = 0;
    for (std::size_t segment = 0; segment < grid.segments.size(); ++segment)
        entries += cellsNear(grid, segment).count();
    return entries;
}

} // namespace

void addSegments(std::span<const Vec3f> path, std::vector<StrokeSegment>& segments) {
    if (path.size() == 1)
        segments.push_back({path[0], path[0]});
    for (std::size_t i = 0; i + 1 < path.size(); ++i)
        segments.push_back({path[i], path[i + 1]});
}

StrokeGrid StrokeGrid::of(std::span<const StrokeSegment> segments, float radius) {
    StrokeGrid grid;
    const auto isPlace = [](const StrokeSegment& one) { return isFinite(one.from) && isFinite(one.to); };
    if (segments.empty() || !(radius > 0) || !std::isfinite(radius) ||
        !std::ranges::all_of(segments, isPlace))
        return grid;
    grid.segments = hostCopy(segments);
    grid.radius = radius;
    Vec3f least = segments.front().from, most = least;
    for (const StrokeSegment& segment : segments)
        for (const Vec3f p : {segment.from, segment.to})
            for (int k = 0; k < 3; ++k) {
                least[k] = std::min(least[k], p[k]);
                most[k] = std::max(most[k], p[k]);
            }
    const float reach = radius * 1.001f;
    grid.low = least - Vec3f{reach, reach, reach};
    const Vec3f extent = most + Vec3f{reach, reach, reach} - grid.low;
    float cell = std::max({2 * radius, std::max({extent.x, extent.y, extent.z}) / kMostCells});
    while (layOut(grid, extent, cell) > kMostEntries && grid.dims != Vec3i{1, 1, 1})
        cell *= 2;

    const std::size_t cells = std::size_t(grid.dims.x) * std::size_t(grid.dims.y) * std::size_t(grid.dims.z);
    std::vector<std::uint32_t> starts(cells + 1);
    for (std::size_t segment = 0; segment < grid.segments.size(); ++segment)
        forEachCell(grid, cellsNear(grid, segment), [&](std::size_t at) { ++starts[at + 1]; });
    for (std::size_t at = 0; at < cells; ++at)
        starts[at + 1] += starts[at];
    grid.near = Buffer<std::uint32_t>::host(starts.back());
    std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
    for (std::size_t segment = 0; segment < grid.segments.size(); ++segment)
        forEachCell(grid, cellsNear(grid, segment),
                    [&](std::size_t at) { grid.near[next[at]++] = std::uint32_t(segment); });
    grid.starts = hostCopy(std::span<const std::uint32_t>(starts));
    return grid;
}

StrokePredicate StrokeGrid::predicate() const {
    StrokePredicate predicate;
    predicate.segments = segments.data();
    predicate.low = low;
    predicate.perCell = perCell;
    predicate.dims = dims; // none without a segment
    predicate.starts = starts.data();
    predicate.near = near.data();
    predicate.radius = radius;
    return predicate;
}

StrokeGrid StrokeGrid::copyTo(MemorySpace space, StreamView stream) const {
    return {segments.copyTo(space, stream), radius, low, perCell, dims, starts.copyTo(space, stream),
            near.copyTo(space, stream)};
}

} // namespace scanloupe
