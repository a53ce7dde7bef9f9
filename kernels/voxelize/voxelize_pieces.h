#pragma once
// Clouds that are larger than the device's memory: uploaded in pieces while the piece before is summed.
#include "kernels/voxelize/voxel_grid.h"

namespace scanloupe::cuda {

/// When what happened, milliseconds on the device's clock.
struct PieceTimes {
    std::size_t pieces = 0;
    double uploadMs = 0;  ///< sum over the uploads
    double computeMs = 0; ///< sum over the pieces' kernels
    double bothMs = 0;    ///< while an upload and a kernel ran at the same time
    double totalMs = 0;   ///< from the first upload to the end of the last kernel of a pass

    /// Share of the shorter of the two that the other hid, 0 to 1.
    double overlap() const {
        const double shorter = uploadMs < computeMs ? uploadMs : computeMs;
        return shorter > 0 ? bothMs / shorter : 0;
    }
};

/// As cuda::voxelize by the strategy hash, for points on the host; the result lies on the device, but for
/// `pointVoxel`, which lies on the host like the points. The points are uploaded once for the positions and
/// two features; once more for further features or `pointVoxels`.
/// @param pieceSize points of one piece; two pieces are in memory at once, pinned and on the device
/// @param times null, or where the timeline of the first pass goes
/// @throws KernelError as voxelize; Cancelled. @note Synchronizes.
VoxelGrid voxelizeInPieces(const PointsView& points, const VoxelizeParams& params, std::size_t pieceSize,
                           const std::stop_token& stop, StreamView stream, PieceTimes* times);

} // namespace scanloupe::cuda
