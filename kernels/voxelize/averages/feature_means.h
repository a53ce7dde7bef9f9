#pragma once
// Averages features over voxels whose points are known.
#include "kernels/core/buffer.h"
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/values/voxel_modes.h"

#include <cstdint>
#include <span>
#include <stop_token>

namespace scanloupe {

namespace cpu {
/// Returns the mean of each feature over the points of each voxel, relative to the feature's `min`: [F, V].
/// The bytes are the same as voxelize() computes for these features. Numbers are read in their own type.
/// @param counts [V] number of points of each voxel
/// @throws KernelError as voxelize() for a feature's range; Fault for missing data; Cancelled.
Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::featureMeans, with the same result; all data is on the device. Asynchronous.
Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                           const std::uint32_t* counts, const std::stop_token& stop, StreamView stream);
} // namespace cuda

} // namespace scanloupe
