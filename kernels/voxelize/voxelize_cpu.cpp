// Voxelizes on the CPU: chooses a strategy, which finds the occupied cells, and averages the points of each
// cell.
#include "kernels/voxelize/core/strategy_table.h"

namespace scanloupe::cpu {

namespace {

/// Maximum number of cells per point for a bitmap; with more, clearing and scanning it takes longer than
/// sorting the points. Measured with 10^3 to 10^6 points in 10^5 to 3 * 10^8 cells: the break-even is at 50
/// cells per point on surfaces, and at 10 for random positions.
constexpr std::uint64_t kBitmapCellsPerPoint = 32;

/// Maximum number of cells of a small dense grid. It is a tenth faster than a bitmap as long as it fits the
/// second-level caches and is small compared with the points; beyond that, clearing and cache misses take
/// longer.
constexpr std::uint64_t kSmallDenseCells = std::uint64_t{1} << 20;
constexpr std::uint64_t kDensePointsPerCell = 8;

/// Same as chooseStrategy, except that small dense grids are preferred, and that points are sorted if a
/// bitmap exceeds its limit or kBitmapCellsPerPoint. Bricks take 0.6 of the sort's time for points in scan
/// order with many points per brick, but 20 times as long and over ten times the memory for scattered points,
/// so they are only used on request.
StrategyChoice chooseCpuStrategy(const VoxelizeParams& params, std::uint64_t cells, std::size_t points) {
    StrategyChoice choice = chooseStrategy(params, cells);
    if (params.strategy != VoxelizeStrategy::automatic || params.maxPointsPerVoxel != 0)
        return choice;
    if (cells <= kSmallDenseCells && cells * kDensePointsPerCell <= points)
        return {VoxelizeStrategy::denseGrid,
                std::to_string(cells) + " cells are few for " + std::to_string(points) + " points"};
    const bool smallBitmap = cells <= kBitmapCells && cells / kBitmapCellsPerPoint <= points;
    if (smallBitmap)
        return choice;
    return {VoxelizeStrategy::radixSort, std::to_string(cells) + " cells are too many for a bitmap of " +
                                             std::to_string(points) + " points"};
}

/// Converts the voxel keys of a window to keys of the whole grid.
void numberInWhole(VoxelGrid& grid, const VoxelizeParams& params, const std::stop_token& stop) {
    const GridShape whole = gridShape(params), numbered = grid.shape;
    grid.shape = whole;
    if (numbered == whole)
        return;
    parallelFor(grid.size(), std::size_t{1} << 15, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            grid.keys[v] = keyInWhole(whole, numbered, params.window.low, grid.keys[v]);
    });
}

} // namespace

VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop) {
    const WallTimer timer;
    VoxelGrid grid;
    StepTimer steps(grid.cost.steps);
    const VoxelizeJob job{points, params, VoxelCells(params), checkPoints(points), stop, steps};
    grid.shape = job.cells.shape;
    grid.featureCount = points.features.size();
    grid.strategy = chooseCpuStrategy(params, grid.shape.cellCount(), points.count);
    auto occupied = rowOf(grid.strategy.strategy).find(job);
    steps.end("number");
    averageVoxels(job, *occupied, grid);
    occupied.reset();
    numberInWhole(grid, params, stop);
    steps.end("average");
    grid.cost.wallMs = timer.elapsedMs();
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cpu
