#pragma once
// Finds the cells of a block of points, in loops that compilers vectorize. Wider vectors take a third of the
// time and give identical results.
#include "kernels/voxelize/core/voxelize_job.h"

namespace scanloupe::cpu {

/// Finds the cells of the first block.size points of `from`, with the widest vectors of the processor.
void locateBlock(const VoxelCells& cells, const Vec3f* from, PointBlock& block);

/// Same as locateBlock, compiled for the instruction set of the caller.
[[gnu::always_inline]] inline void locateBlockInline(VoxelCells grid, const Vec3f* from, PointBlock& block) {
    const std::size_t size = block.size;
    std::array<std::uint32_t, PointBlock::kSize> inside;
    for (std::size_t i = 0; i < size; ++i) {
        const Vec3f p = from[i];
        const bool in = grid.contains(p);
        inside[i] = in;
        block.position[0][i] = in ? p.x : grid.shape.origin.x;
        block.position[1][i] = in ? p.y : grid.shape.origin.y;
        block.position[2][i] = in ? p.z : grid.shape.origin.z;
    }
    for (int axis = 0; axis < 3; ++axis) {
        const auto& position = block.position[std::size_t(axis)];
        auto& cell = block.cell[std::size_t(axis)];
        for (std::size_t i = 0; i < size; ++i)
            cell[i] = grid.cellAlong(axis, position[i]);
    }
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t key = grid.shape.key({block.cell[0][i], block.cell[1][i], block.cell[2][i]});
        block.key[i] = inside[i] ? key : kNoKey;
    }
}

} // namespace scanloupe::cpu
