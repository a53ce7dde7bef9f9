#pragma once
// Voxelizes frame after frame by a CUDA graph.
#include "kernels/voxelize/core/voxel_grid.h"

#include <memory>
#include <vector>

namespace scanloupe::cuda {

/// Voxelizes the frames of a sensor in place on the device: buffers are refilled for each frame, and a launch
/// queues everything that the frame needs, without allocation and read-back. Takes up to a quarter of the
/// free memory, for sums of every cell; if these don't fit, points are read twice. Only with the strategy
/// bitmapRank, whose work does not depend on the data.
class VoxelizeGraph {
public:
    /// @param buffers device memory that receives frames and outlives this; often two, one filled while the
    /// other is processed. `count` is the largest of a frame; all have the same number of features
    /// @param capacity in voxels; it grows when a frame has more
    /// @param stream launches follow on this one, or on one that waits for it
    /// @throws KernelError as voxelize, and for a grid that needs another strategy
    VoxelizeGraph(const std::vector<PointsView>& buffers, const VoxelizeParams& params, std::size_t capacity,
                  StreamView stream);
    ~VoxelizeGraph();
    VoxelizeGraph(const VoxelizeGraph&) = delete;
    VoxelizeGraph& operator=(const VoxelizeGraph&) = delete;

    /// Queues a frame of the first `count` points of a buffer. Frames share their workspace: launch them on
    /// one stream. A frame with another `count` than the buffer's last is recorded again, on the host.
    /// Asynchronous.
    /// @throws KernelError
    void launch(std::size_t buffer, std::size_t count, StreamView stream);

    /// A copy of the last frame's voxels on the device. Runs the frame again with a larger capacity when it
    /// had more voxels, or with wider sums when a voxel had more than 2^22 - 1 points, so its points must
    /// still be valid. @note Synchronizes. @throws KernelError
    VoxelGrid result(StreamView stream);

    std::size_t capacity() const; ///< voxels

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace scanloupe::cuda
