// Thins a scan by a voxel grid: replaces the points in each cube by their mean.
#include "kernels/core/number_text.h"
#include "kernels/core/parallel.h"
#include "kernels/register/ndt/ndt.h"
#include "kernels/register/voxel_means.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace scanloupe {

VoxelKeys voxelGrid(const FiniteBounds& bounds, double edge) {
    if (!(edge > 0) || !std::isfinite(edge))
        throw KernelError("the cell size for thinning must be a length above 0 (got " + shortNumber(edge) +
                              ")",
                          "Set a size such as 0.2 m.");
    VoxelKeys grid{bounds.low.as<double>(), 1 / edge};
    if (bounds.finite == 0)
        return grid;
    const Vec3d cells = (bounds.high.as<double>() - grid.low) * grid.inverseEdge;
    constexpr double maxCells = (1 << 21) - 2; // leaves an empty cell on each side
    if (!(std::max({cells.x, cells.y, cells.z}) < maxCells))
        throw KernelError("a scan is more than 2^21 cells of " + shortNumber(edge) + " m wide",
                          "Use larger cells for thinning.");
    const auto bits = [](double last) { return std::bit_width(static_cast<std::uint64_t>(last) + 2); };
    grid.bitsX = bits(cells.x);
    grid.bitsY = bits(cells.y);
    grid.bitsZ = bits(cells.z);
    return grid;
}

namespace cpu {

namespace {

constexpr std::size_t kThinScanGrain = std::size_t{1} << 14;

} // namespace

VoxelMeans voxelMeans(std::span<const Vec3f> points, double edge, const std::stop_token& stop) {
    const FiniteBounds bounds = parallelReduce(
        points.size(), kThinScanGrain, stop, FiniteBounds{},
        [&](std::size_t begin, std::size_t end) {
            FiniteBounds part;
            for (std::size_t i = begin; i < end; ++i)
                if (isFinite(points[i]))
                    part = {min(part.low, points[i]), max(part.high, points[i]), part.finite + 1};
            return part;
        },
        [](const FiniteBounds& a, const FiniteBounds& b) {
            return FiniteBounds{min(a.low, b.low), max(a.high, b.high), a.finite + b.finite};
        });
    VoxelMeans cells{voxelGrid(bounds, edge), {}, {}};
    if (bounds.finite == 0)
        return cells;
    const VoxelKeys& grid = cells.grid;
    const int bits = grid.bits();
    std::vector<KeyIndex> items(points.size()), scratch(points.size());
    parallelFor(points.size(), kThinScanGrain, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) // points that are not finite are sorted last
            items[i] = {isFinite(points[i]) ? grid.key(points[i]) : std::uint64_t{1} << bits, i};
    });
    parallelSortByKey(items, scratch, bits + 1, stop);
    for (std::size_t begin = 0, end = 0; begin < bounds.finite; begin = end) {
        Vec3d sum;
        for (; end < bounds.finite && items[end].key == items[begin].key; ++end)
            sum += points[items[end].index].as<double>();
        cells.keys.push_back(items[begin].key);
        cells.means.push_back((sum / double(end - begin)).as<float>());
    }
    return cells;
}

std::vector<Vec3f> thinScan(std::span<const Vec3f> points, double edge, const std::stop_token& stop) {
    return voxelMeans(points, edge, stop).means;
}

} // namespace cpu

} // namespace scanloupe
