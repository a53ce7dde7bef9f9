#pragma once
// Declares the search for the nearest voxels of positions, by which the vertices of a mesh get the attributes
// of voxels.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cmath>
#include <cstdint>
#include <span>

namespace scanloupe {

/// View of voxels for look-ups; pointers refer to the memory of the backend.
struct VoxelLookup {
    GridShape shape;
    const std::uint64_t* keys = nullptr;                  ///< [V] ascending keys
    const float *x = nullptr, *y = nullptr, *z = nullptr; ///< [V] each: coordinates of the mean positions,
                                                          ///< metres
    std::uint32_t count = 0;                              ///< number V of voxels

    HD Vec3f mean(std::uint32_t v) const { return {x[v], y[v], z[v]}; }
};
inline VoxelLookup voxelLookup(const VoxelGrid& grid) {
    return {grid.shape,   grid.keys.data(), grid.mean(0),
            grid.mean(1), grid.mean(2),     static_cast<std::uint32_t>(grid.size())};
}

/// Returns the index of the voxel at a cell, or kNoVoxel.
HD inline std::uint32_t voxelOfCell(const VoxelLookup& grid, Vec3i cell) {
    const Vec3i dims = grid.shape.dims;
    if (cell.x < 0 || cell.y < 0 || cell.z < 0 || cell.x >= dims.x || cell.y >= dims.y || cell.z >= dims.z)
        return kNoVoxel;
    const std::uint64_t key = grid.shape.key(cell);
    std::uint32_t first = 0, last = grid.count;
    while (first < last) {
        const std::uint32_t middle = first + (last - first) / 2;
        if (grid.keys[middle] < key)
            first = middle + 1;
        else
            last = middle;
    }
    return first < grid.count && grid.keys[first] == key ? first : kNoVoxel;
}

/// Returns the occupied voxel that contains `p`. If there is none, returns the occupied voxel with the
/// nearest mean among the 26 neighbours; if all are empty, kNoVoxel.
HD inline std::uint32_t neighbourVoxel(const VoxelLookup& grid, Vec3f p) {
    constexpr float maxCell = 2e9f; // maximum coordinate of a cell
    const Vec3f at = (p - grid.shape.origin) / grid.shape.voxelSize;
    if (!(std::fabs(at.x) < maxCell && std::fabs(at.y) < maxCell && std::fabs(at.z) < maxCell))
        return kNoVoxel;
    const Vec3i cell{static_cast<std::int32_t>(std::floor(at.x)), static_cast<std::int32_t>(std::floor(at.y)),
                     static_cast<std::int32_t>(std::floor(at.z))};
    const std::uint32_t own = voxelOfCell(grid, cell);
    if (own != kNoVoxel)
        return own;
    std::uint32_t best = kNoVoxel;
    float bestDistance = 0;
    for (int i = 0; i < 27; ++i) { // neighbours in the order x fastest
        const std::uint32_t v = voxelOfCell(grid, cell + Vec3i{i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1});
        if (v == kNoVoxel)
            continue;
        const float distance = squaredNorm(grid.mean(v) - p);
        if (best == kNoVoxel || distance < bestDistance) {
            bestDistance = distance;
            best = v;
        }
    }
    return best;
}

/// For each position, [M, 3], the occupied voxel that contains it, otherwise the one of its 26 neighbours
/// with the nearest mean, otherwise the voxel with the nearest mean; [M]. A position that is not finite gets
/// an arbitrary voxel. The grid must not be empty. All data lies where it computes. @throws KernelError;
/// DeviceMemoryShort; Cancelled. @note Synchronizes to check whether any position is far from all voxels.
Buffer<std::uint32_t> nearestVoxels(HostQueue& q, const VoxelGrid& grid, std::span<const Vec3f> positions);
Buffer<std::uint32_t> nearestVoxels(CudaQueue& q, const VoxelGrid& grid, std::span<const Vec3f> positions);
inline Buffer<std::uint32_t> nearestVoxels(const VoxelGrid& grid, const Buffer<Vec3f>& positions,
                                           const Execution& on) {
    return onQueue(on, [&](auto& q) { return nearestVoxels(q, grid, positions.view()); });
}

} // namespace scanloupe
