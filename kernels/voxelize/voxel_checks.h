#pragma once
// What both backends check before they start.
#include "kernels/voxelize/voxel_element.h"

#include <vector>

namespace scanloupe {

/// The scales of the features, [F].
/// @throws KernelError for N >= 2^32 - 1 and a feature's range that is empty or has an end that is not
/// finite.
std::vector<FeatureScale> checkPoints(const PointsView& points);

/// Makes room for the keys, counts and means of `voxels` voxels with `channels` channels each.
void allocateVoxels(VoxelGrid& grid, const VoxelizeParams& params, std::size_t voxels, std::size_t channels,
                    MemorySpace space, StreamView stream);

/// Where the means of `grid` go.
MeanColumns meanColumns(VoxelGrid& grid);

/// Cells that a bitmap is made for: 37 MB of bits, and twice that for the ranks on the device.
inline constexpr std::uint64_t kBitmapCells = 300'000'000;
/// Cells that a counter and a rank each are kept for, 2 GiB in all.
inline constexpr std::uint64_t kDenseCells = std::uint64_t{1} << 28;

/// What `params.strategy` stands for, `automatic` being decided.
/// @throws KernelError when the strategy that was asked for can't do what else was asked for.
StrategyChoice chooseStrategy(const VoxelizeParams& params, std::uint64_t cells);

} // namespace scanloupe
