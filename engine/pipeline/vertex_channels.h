#pragma once
// What is known of voxels, at the vertices of a mesh.
#include "engine/io/writers.h"
#include "kernels/voxelize/voxel_grid.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The means and most frequent classes of the voxels that stand for these positions, see nearestVoxels: one
/// channel for each of `features`, which name channels 3 and up of the grid, but those without means, then
/// one for each of `categories`.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const std::shared_ptr<const Category>> categories,
                                       std::span<const Vec3f> positions, const std::stop_token& stop);

} // namespace scanloupe
