#pragma once
// Voxelizes clouds that exceed the device's memory: uploads a piece while the previous one is summed.
#include "kernels/voxelize/core/voxel_grid.h"

namespace scanloupe::cuda {

/// Timeline of a pass over the points, milliseconds on the device's clock.
struct PieceTimes {
    std::size_t pieces = 0;
    double uploadMs = 0;  ///< sum of the durations of the uploads
    double computeMs = 0; ///< sum of the durations of the pieces' kernels
    double bothMs = 0;    ///< time during which an upload and a kernel ran concurrently
    double totalMs = 0;   ///< from the first upload to the end of the last kernel of a pass

    /// Returns the fraction of the shorter of the upload and compute times that overlaps with the longer one,
    /// 0 to 1.
    double overlap() const {
        const double shorter = uploadMs < computeMs ? uploadMs : computeMs;
        return shorter > 0 ? bothMs / shorter : 0;
    }
};

/// Same as cuda::voxelize with the strategy hash, for points on the host. The result is on the device, except
/// `pointVoxel`, which is on the host like the points. The points are uploaded once for the positions and two
/// features, and once more for further features or `pointVoxels`.
/// @param pieceSize number of points of one piece; two pieces are in pinned and in device memory at a time
/// @param times null, or receives the timeline of the first pass
/// @throws KernelError as voxelize; Cancelled. @note Synchronizes.
VoxelGrid voxelizeInPieces(const PointsView& points, const VoxelizeParams& params, std::size_t pieceSize,
                           const std::stop_token& stop, StreamView stream, PieceTimes* times);

} // namespace scanloupe::cuda
