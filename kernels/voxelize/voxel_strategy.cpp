// Names the voxelization strategies, and chooses one by the number of cells and the limits.
#include "kernels/voxelize/voxel_strategy.h"

#include "kernels/voxelize/voxel_checks.h"

namespace scanloupe {

const char* name(VoxelizeStrategy strategy) {
    switch (strategy) {
    case VoxelizeStrategy::automatic:
        return "auto";
    case VoxelizeStrategy::bitmapRank:
        return "bitmap-rank";
    case VoxelizeStrategy::brickHash:
        return "brick-hash";
    case VoxelizeStrategy::hash:
        return "hash";
    case VoxelizeStrategy::radixSort:
        return "radix-sort";
    case VoxelizeStrategy::denseGrid:
        return "dense-grid";
    }
    throw Fault("there is no such voxelization strategy");
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
    if (params.strategy != radixSort && params.maxPointsPerVoxel != 0)
        throw KernelError(std::string("the strategy ") + name(params.strategy) +
                              " can't tell the first points of a voxel",
                          "Take auto or radix-sort, or leave the limit of points a voxel out.");
    const std::uint64_t most = params.strategy == bitmapRank  ? kBitmapCells
                               : params.strategy == denseGrid ? kDenseCells
                                                              : ~std::uint64_t{0};
    if (cells > most)
        throw KernelError("the grid has " + grid + "; the strategy " + name(params.strategy) +
                              " takes at most " + std::to_string(most),
                          "Take auto or brick-hash, a larger voxel size or a smaller range.");
    return {params.strategy, "it was asked for"};
}

} // namespace scanloupe
