#pragma once
// Declares the strategies for finding the voxels of points. All strategies find the same voxels.
#include <cstdint>
#include <string>
#include <vector>

namespace scanloupe {

enum class VoxelizeStrategy : std::uint8_t {
    automatic,  ///< chosen by the numbers of cells and points, and the limits
    bitmapRank, ///< a bit per cell; the index of a voxel is the number of set bits before its bit
    brickHash,  ///< a hash table of bricks of 8^3 cells with a bit per cell: any number of cells
    hash,       ///< a hash table of voxels with open addressing
    radixSort,  ///< points sorted by voxel: the only one that can keep the first points of a voxel
    denseGrid,  ///< a counter or a mark per cell; for small grids
};

/// The strategy's name in the command line and the benchmark: "auto", "bitmap-rank", "brick-hash", "hash",
/// "radix-sort", "dense-grid".
const char* name(VoxelizeStrategy strategy);
/// Returns the names of all strategies, in the order of their values.
std::vector<std::string> voxelizeStrategyNames();

/// The strategy that was chosen, and why.
struct StrategyChoice {
    VoxelizeStrategy strategy = VoxelizeStrategy::automatic;
    std::string why; ///< a phrase such as "11664000 cells fit a bitmap"
};

} // namespace scanloupe
