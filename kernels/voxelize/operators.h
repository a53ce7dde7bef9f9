#pragma once
// Operators of this folder, which dispatch to the backend of an Execution. Results are in the memory of that
// backend.
#include "kernels/core/execution.h"
#include "kernels/sycl/sycl_device.h"
#include "kernels/voxelize/averages/feature_means.h"
#include "kernels/voxelize/core/voxel_grid.h"
#include "kernels/voxelize/splice/splice_voxels.h"
#include "kernels/voxelize/values/count_in_window.h"
#include "kernels/voxelize/values/gather_voxel_values.h"
#include "kernels/voxelize/values/local_density.h"
#include "kernels/voxelize/values/points_in_voxels.h"
#include "kernels/voxelize/values/points_of_voxel.h"
#include "kernels/voxelize/values/voxel_modes.h"
#include "kernels/voxelize/values/voxel_order.h"
#include "kernels/voxelize/voxelize_pieces.h"

namespace scanloupe {

/// Voxelizes points, see cpu::voxelize.
/// @param space memory space of the points; points on the host are copied to the device in pieces
inline VoxelGrid voxelize(const PointsView& points, MemorySpace space, const VoxelizeParams& params,
                          const Execution& on) {
    // Number of points of a piece: uploads of 64 MB and more reach the bandwidth of the bus, and two pieces
    // take little memory.
    constexpr std::size_t pieceSize = std::size_t{1} << 22;
    const bool keepsFirstPoints = params.maxPointsPerVoxel != 0; // the kernels for SYCL do not support this
    if (on.bySycl() && !keepsFirstPoints && params.strategy == VoxelizeStrategy::automatic)
        return on.sycl->voxelize(points, params, on.stop);
    if (!on.onDevice())
        return cpu::voxelize(points, params, on.stop);
    return space == MemorySpace::device
               ? cuda::voxelize(points, params, on.stop, *on.device)
               : cuda::voxelizeInPieces(points, params, pieceSize, on.stop, *on.device, nullptr);
}

/// Computes the means of features over voxels, see cpu::featureMeans.
inline Buffer<float> featureMeans(std::span<const FeatureView> features, const VoxelMembers& members,
                                  const std::uint32_t* counts, const Execution& on) {
    return on.onDevice() ? cuda::featureMeans(features, members, counts, on.stop, *on.device)
                         : cpu::featureMeans(features, members, counts, on.stop);
}

/// Finds the most frequent class of each voxel, see cpu::voxelModes.
inline Buffer<std::uint32_t> voxelModes(const VoxelMembers& members, std::span<const CategoryView> categories,
                                        const Execution& on) {
    return on.onDevice() ? cuda::voxelModes(members, categories, on.stop, *on.device)
                         : cpu::voxelModes(members, categories, on.stop);
}

} // namespace scanloupe
