#pragma once
// Counts the voxels in a window of a grid's cells, and their points.
#include "kernels/core/stream.h"
#include "kernels/voxelize/core/voxel_grid.h"

#include <cstdint>
#include <stop_token>

namespace scanloupe {

struct WindowCounts {
    std::uint64_t voxels = 0, points = 0;
    bool operator==(const WindowCounts&) const = default;
};

/// Returns whether a cell is in a window.
HD inline bool contains(const CellWindow& window, Vec3i cell) {
    const Vec3i at = cell - window.low;
    return at.x >= 0 && at.y >= 0 && at.z >= 0 && at.x < window.dims.x && at.y < window.dims.y &&
           at.z < window.dims.z;
}

namespace cpu {
/// Counts the voxels in a window, and their points. @param window may extend beyond the grid @throws
/// Cancelled
WindowCounts countInWindow(const VoxelGrid& grid, const CellWindow& window, const std::stop_token& stop);
} // namespace cpu

namespace cuda {
/// Same as cpu::countInWindow; the grid is on the device. @note Synchronizes with `stream`.
WindowCounts countInWindow(const VoxelGrid& grid, const CellWindow& window, StreamView stream);
} // namespace cuda

} // namespace scanloupe
