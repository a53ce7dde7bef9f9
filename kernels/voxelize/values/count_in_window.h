#pragma once
// Counts the voxels in some cells of a grid, and their points.
#include "kernels/core/queue/queue.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>

namespace scanloupe {

struct WindowCounts {
    std::uint64_t voxels = 0, points = 0;
    bool operator==(const WindowCounts&) const = default;
    HD friend WindowCounts operator+(WindowCounts a, WindowCounts b) {
        return {a.voxels + b.voxels, a.points + b.points};
    }
};

/// Returns whether a cell is in a window.
HD inline bool contains(const CellWindow& window, Vec3i cell) {
    const Vec3i at = cell - window.low;
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < window.dims.x && at.y < window.dims.y &&
           at.z < window.dims.z;
}

/// The voxels of a grid in a window, which may reach beyond the grid, and their points. The grid lies where
/// it is counted. @throws KernelError; Cancelled. @note Synchronizes.
WindowCounts countInWindow(HostQueue& q, const VoxelGrid& grid, const CellWindow& window);
WindowCounts countInWindow(CudaQueue& q, const VoxelGrid& grid, const CellWindow& window);
inline WindowCounts countInWindow(const VoxelGrid& grid, const CellWindow& window, const Execution& on) {
    return onQueue(on, [&](auto& q) { return countInWindow(q, grid, window); });
}

} // namespace scanloupe
