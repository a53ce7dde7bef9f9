// Checks the parameters of a voxelization on the device, chooses its strategy and runs it.
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop,
                   StreamView stream) {
    const WallTimer timer;
    VoxelGrid grid;
    grid.shape = gridShape(params);
    grid.strategy = chooseStrategy(params, grid.shape.cellCount());
    const Job job{points, params, {grid.shape, params.rangeMax}, checkPoints(points), stop, stream};
    job.throwIfStopped();
    EventTimer deviceTimer(stream);
    grid.featureCount = points.features.size();
    grid.pointVoxel = job.buffer<std::uint32_t>(params.pointVoxels ? points.count : 0);
    if (points.count == 0)
        allocateVoxels(grid, 0, job.channels(), MemorySpace::device, stream);
    else
        rowOf(grid.strategy.strategy).voxelizeOnDevice(job, grid);
    deviceTimer.stop();
    grid.cost.deviceMs = deviceTimer.elapsedMs();
    grid.cost.wallMs = timer.elapsedMs();
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cuda
