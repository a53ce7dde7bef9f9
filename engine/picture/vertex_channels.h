#pragma once
// Transfers attributes of voxels to the vertices of a mesh, and colours them for export.
#include "engine/io/writers.h"
#include "engine/results/snapshot.h"
#include "kernels/voxelize/voxel_grid.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

namespace scanloupe {

/// The means and most frequent classes of the nearest voxels of these positions, see nearestVoxels: a channel
/// for each of `features` that has means (they name channels 3 and up of the grid), then a channel for each
/// of `categories`.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> voxelChannels(const VoxelGrid& grid, std::span<const VoxelChannel> features,
                                       std::span<const std::shared_ptr<const Category>> categories,
                                       std::span<const Vec3f> positions, const std::stop_token& stop);

/// Colours of the mesh's vertices as in its picture, for export: [M] RGBA. @throws EngineError; Cancelled.
std::vector<std::uint32_t> meshVertexColours(const Snapshot& snapshot, const std::stop_token& stop);

/// Attributes of the voxels at the mesh's vertices, for export; none for a volume.
/// @throws KernelError; Cancelled.
std::vector<MeshChannel> meshVertexChannels(const Snapshot& snapshot, const std::stop_token& stop);

} // namespace scanloupe
