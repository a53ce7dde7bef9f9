// Computes the density of points around each voxel.
#include "kernels/voxelize/values/local_density.h"

#include "kernels/core/queue/queue_body.h"

namespace scanloupe {

Buffer<float> localDensities(Queue& q, const VoxelGrid& grid) {
    auto densities = bufferOn<float>(q, grid.size());
    float* const to = densities.data();
    const std::uint64_t* const keys = grid.keys.data();
    const std::uint32_t* const counts = grid.counts.data();
    const GridShape shape = grid.shape;
    const std::size_t voxels = grid.size();
    q.forEach(voxels, [=] HD(std::size_t v) { to[v] = localDensity(keys, counts, voxels, shape, v); });
    return densities;
}

} // namespace scanloupe
