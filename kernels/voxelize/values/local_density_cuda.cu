// Computes the density of points around each voxel on the device.
#include "kernels/core/cuda_check.h"
#include "kernels/voxelize/values/local_density.h"

namespace scanloupe::cuda {

namespace {

__global__ void findLocalDensities(const std::uint64_t* keys, const std::uint32_t* counts, std::size_t voxels,
                                   GridShape shape, float* densities) {
    const std::size_t v = globalIndex();
    if (v < voxels)
        densities[v] = localDensity(keys, counts, voxels, shape, v);
}

} // namespace

Buffer<float> localDensities(const VoxelGrid& grid, StreamView stream) {
    auto densities = Buffer<float>::in(MemorySpace::device, grid.size(), stream);
    launch("findLocalDensities", grid.size(), stream, findLocalDensities, grid.keys.data(),
           grid.counts.data(), grid.size(), grid.shape, densities.data());
    return densities;
}

} // namespace scanloupe::cuda
