// The table of voxelization strategies, and the choice of one by the number of cells and the limits.
#include "kernels/voxelize/core/voxel_strategy.h"

#include "kernels/voxelize/core/strategy_table.h"

namespace scanloupe {

std::span<const VoxelizeStrategyRow> voxelizeStrategies() {
    using enum VoxelizeStrategy;
    constexpr std::uint64_t any = ~std::uint64_t{0};
    static constexpr VoxelizeStrategyRow rows[] = {
        {automatic, "auto"},
        {bitmapRank, "bitmap-rank", kBitmapCells, false, cpu::findByBitmapRank, cuda::voxelizeByBitmapRank},
        {brickHash, "brick-hash", any, false, cpu::findByBrickHash, cuda::voxelizeByBrickHash},
        {hash, "hash", any, false, cpu::findByHash, cuda::voxelizeByHash},
        {radixSort, "radix-sort", any, true, cpu::findByRadixSort, cuda::voxelizeByRadixSort},
        {denseGrid, "dense-grid", kDenseCells, false, cpu::findByDenseGrid, cuda::voxelizeByDenseGrid},
    };
    return rows;
}

const VoxelizeStrategyRow& rowOf(VoxelizeStrategy strategy) {
    if (std::size_t(strategy) >= voxelizeStrategies().size())
        throw Fault("there is no such voxelization strategy");
    return voxelizeStrategies()[std::size_t(strategy)];
}

const char* name(VoxelizeStrategy strategy) {
    return rowOf(strategy).name;
}

std::vector<std::string> voxelizeStrategyNames() {
    std::vector<std::string> names;
    for (const VoxelizeStrategyRow& row : voxelizeStrategies())
        names.emplace_back(row.name);
    return names;
}

StrategyChoice chooseStrategy(const VoxelizeParams& params, std::uint64_t cells) {
    using enum VoxelizeStrategy;
    const std::string grid = std::to_string(cells) + " cells";
    if (params.strategy == automatic) {
        if (params.maxPointsPerVoxel != 0)
            return {radixSort, "the first points of each voxel are kept"};
        if (cells <= kBitmapCells)
            return {bitmapRank, grid + " fit a bitmap"};
        return {brickHash, grid + " are too many for a bitmap"};
    }
    const VoxelizeStrategyRow& row = rowOf(params.strategy);
    if (!row.knowsFirstPoints && params.maxPointsPerVoxel != 0)
        throw KernelError(std::string("the strategy ") + row.name +
                              " cannot determine the first points of a voxel",
                          "Choose auto or radix-sort, or omit the limit of points per voxel.");
    if (cells > row.maxCells)
        throw KernelError("the grid has " + grid + "; the strategy " + row.name + " allows at most " +
                              std::to_string(row.maxCells),
                          "Choose auto or brick-hash, or use a larger voxel size or a smaller range.");
    return {params.strategy, "it was asked for"};
}

} // namespace scanloupe
