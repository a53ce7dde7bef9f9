// Splits the points of a voxelization into blocks and locates them.
#include "kernels/voxelize/core/voxelize_job.h"

#include "kernels/voxelize/core/locate_block.h"

namespace scanloupe::cpu {

std::size_t VoxelizeJob::grain() const {
    return std::clamp<std::size_t>(points.count / 64, std::size_t{1} << 12, std::size_t{1} << 16);
}

void VoxelizeJob::locate(std::size_t begin, std::size_t end, PointBlock& block) const {
    block.begin = begin;
    block.size = std::min(end - begin, PointBlock::kSize);
    locateBlock(cells, points.positions + begin, block);
}

} // namespace scanloupe::cpu
