// Counts the voxels in some cells of a grid, and their points.
#include "kernels/voxelize/values/count_in_window.h"

#include "kernels/core/queue/queue_body.h"

namespace scanloupe {

WindowCounts countInWindow(Queue& q, const VoxelGrid& grid, const CellWindow& window) {
    const std::uint64_t* const keys = grid.keys.data();
    const std::uint32_t* const counts = grid.counts.data();
    const GridShape shape = grid.shape;
    return q.sum<WindowCounts>(grid.size(), [=] HD(std::size_t v) {
        return contains(window, shape.cell(keys[v])) ? WindowCounts{1, counts[v]} : WindowCounts{};
    });
}

} // namespace scanloupe
