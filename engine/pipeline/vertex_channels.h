#pragma once
// What is known of voxels, at the vertices of a mesh.
#include "engine/io/writers.h"
#include "kernels/voxelize/voxel_grid.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// For each position the occupied voxel that it lies in, else the one of its 26 neighbours with the nearest
/// mean, else the voxel with the nearest mean; [M]. The grid has voxels. @throws KernelError; Cancelled.
std::vector<std::uint32_t> nearestVoxels(const VoxelGrid& grid, std::span<const Vec3f> positions,
                                         const std::stop_token& stop);

/// The means of those voxels: one channel for each of `features`, which name channels 3 and up of the grid.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const Vec3f> positions, const std::stop_token& stop);

} // namespace scanloupe
