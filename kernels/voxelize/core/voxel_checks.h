#pragma once
// Declares the checks, limits and allocations of a voxelization that both backends share.
#include "kernels/voxelize/core/voxel_element.h"

#include <vector>

namespace scanloupe {

/// Returns the scales of the features of `count` points: [F]. @throws KernelError if a feature's range is
/// empty or not finite.
std::vector<FeatureScale> featureScales(std::span<const FeatureView> features, std::size_t count);

/// Checks the points. @returns the scales of the features, [F]
/// @throws KernelError for N >= 2^32 - 1 and a feature's range that is empty or has an end that is not
/// finite.
std::vector<FeatureScale> checkPoints(const PointsView& points);

/// Allocates the keys, counts and means of `voxels` voxels with `channels` channels each.
void allocateVoxels(VoxelGrid& grid, std::size_t voxels, std::size_t channels, MemorySpace space,
                    StreamView stream);

/// Returns pointers to the means of `grid`.
MeanColumns meanColumns(VoxelGrid& grid);

/// Maximum number of cells of a bitmap: 37 MB of bits, and twice that for the ranks on the device.
inline constexpr std::uint64_t kBitmapCells = 300'000'000;
/// Maximum number of cells of a dense grid, with a counter and a rank each: 2 GiB in all.
inline constexpr std::uint64_t kDenseCells = std::uint64_t{1} << 28;

/// Chooses the strategy if `params.strategy` is `automatic`, and checks it otherwise. @throws KernelError
/// when the requested strategy does not support the other parameters.
StrategyChoice chooseStrategy(const VoxelizeParams& params, std::uint64_t cells);

} // namespace scanloupe
