// Computes the density of points around each voxel on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/values/local_density.h"

namespace scanloupe::cpu {

Buffer<float> localDensities(const VoxelGrid& grid, const std::stop_token& stop) {
    auto densities = Buffer<float>::host(grid.size());
    parallelFor(densities.size(), 1 << 12, stop, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = begin; v < end; ++v)
            densities[v] = localDensity(grid.keys.data(), grid.counts.data(), grid.size(), grid.shape, v);
    });
    return densities;
}

} // namespace scanloupe::cpu
