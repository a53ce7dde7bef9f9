// Counts the voxels in a window of cells on the CPU.
#include "kernels/core/parallel.h"
#include "kernels/voxelize/values/count_in_window.h"

namespace scanloupe::cpu {

WindowCounts countInWindow(const VoxelGrid& grid, const CellWindow& window, const std::stop_token& stop) {
    return parallelReduce(
        grid.size(), std::size_t{1} << 16, stop, WindowCounts{},
        [&](std::size_t begin, std::size_t end) {
            WindowCounts counts;
            for (std::size_t v = begin; v < end; ++v)
                if (contains(window, grid.shape.cell(grid.keys[v]))) {
                    ++counts.voxels;
                    counts.points += grid.counts[v];
                }
            return counts;
        },
        [](const WindowCounts& a, const WindowCounts& b) {
            return WindowCounts{a.voxels + b.voxels, a.points + b.points};
        });
}

} // namespace scanloupe::cpu
