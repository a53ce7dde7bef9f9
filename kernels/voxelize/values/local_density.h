#pragma once
// Computes the density of points around each voxel.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

namespace scanloupe {

/// Returns the number of points in the 3 x 3 x 3 cells around voxel `v`, divided by the volume of those cells
/// that are in the grid: points per cubic metre.
/// @param keys [V] ascending @param counts [V] points per voxel
HD inline float localDensity(const std::uint64_t* keys, const std::uint32_t* counts, std::size_t voxels,
                             const GridShape& shape, std::size_t v) {
    const Vec3i cell = shape.cell(keys[v]);
    const auto first = [](std::int32_t at) { return at > 0 ? at - 1 : 0; };
    const auto last = [](std::int32_t at, std::int32_t size) { return at + 1 < size ? at + 1 : at; };
    const std::int32_t x0 = first(cell.x), x1 = last(cell.x, shape.dims.x);
    std::uint64_t points = 0, cells = 0;
    for (std::int32_t z = first(cell.z); z <= last(cell.z, shape.dims.z); ++z) {
        for (std::int32_t y = first(cell.y); y <= last(cell.y, shape.dims.y); ++y) {
            const std::uint64_t begin = shape.key({x0, y, z}), end = shape.key({x1, y, z});
            std::size_t low = 0;
            for (std::size_t size = voxels; size > 0;) { // binary search for the first key that is not less
                const std::size_t half = size / 2;
                const bool isLess = keys[low + half] < begin;
                low = isLess ? low + half + 1 : low;
                size = isLess ? size - half - 1 : half;
            }
            for (; low < voxels && keys[low] <= end; ++low)
                points += counts[low];
            cells += end - begin + 1;
        }
    }
    const float volume = shape.voxelSize.x * shape.voxelSize.y * shape.voxelSize.z;
    return static_cast<float>(points) / (static_cast<float>(cells) * volume);
}

/// [V] the density of points around each voxel, points a cubic metre. The grid lies where it computes.
/// Asynchronous on the device. @throws DeviceMemoryShort, KernelError; Cancelled
Buffer<float> localDensities(HostQueue& q, const VoxelGrid& grid);
Buffer<float> localDensities(CudaQueue& q, const VoxelGrid& grid);
inline Buffer<float> localDensities(const VoxelGrid& grid, const Execution& on) {
    return onQueue(on, [&](auto& q) { return localDensities(q, grid); });
}

} // namespace scanloupe
