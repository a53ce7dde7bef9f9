// Checks the parameters of a voxelization on the device, chooses its strategy and runs it.
#include "kernels/voxelize/core/cuda_job.cuh"

namespace scanloupe::cuda {

namespace {

__global__ void numberVoxels(std::uint64_t* keys, std::size_t count, GridShape whole, GridShape numbered,
                             Vec3i low) {
    const std::size_t v = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
    if (v < count)
        keys[v] = keyInWhole(whole, numbered, low, keys[v]);
}

/// Converts the voxel keys of a window to keys of the whole grid.
void numberInWhole(const Job& job, VoxelGrid& grid) {
    const GridShape numbered = grid.shape;
    grid.shape = gridShape(job.params);
    if (!(numbered == grid.shape))
        launch("numberVoxels", grid.size(), job.stream, numberVoxels, grid.keys.data(), grid.size(),
               grid.shape, numbered, job.params.window.low);
}

} // namespace

VoxelGrid voxelize(const PointsView& points, const VoxelizeParams& params, const std::stop_token& stop,
                   StreamView stream) {
    const WallTimer timer;
    VoxelGrid grid;
    const Job job{points, params, VoxelCells(params), checkPoints(points), stop, stream};
    grid.shape = job.cells.shape;
    grid.strategy = chooseStrategy(params, grid.shape.cellCount());
    job.throwIfStopped();
    EventTimer deviceTimer(stream);
    grid.featureCount = points.features.size();
    grid.pointVoxel = job.buffer<std::uint32_t>(params.pointVoxels ? points.count : 0);
    if (points.count == 0)
        allocateVoxels(grid, 0, job.channels(), MemorySpace::device, stream);
    else
        rowOf(grid.strategy.strategy).voxelizeOnDevice(job, grid);
    numberInWhole(job, grid);
    deviceTimer.stop();
    grid.cost.deviceMs = deviceTimer.elapsedMs();
    grid.cost.wallMs = timer.elapsedMs();
    grid.cost.bytes = grid.bytes();
    return grid;
}

} // namespace scanloupe::cuda
