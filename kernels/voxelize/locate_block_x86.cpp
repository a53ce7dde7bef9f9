// The choice is made by a plain branch: what gnu::target_clones makes runs before the thread sanitizer is
// ready.
#include "kernels/voxelize/locate_block.h"

namespace scanloupe::cpu {

namespace {

[[gnu::target("avx2")]] void locateBlockAvx2(const VoxelCells& cells, const Vec3f* from, PointBlock& block) {
    locateBlockInline(cells, from, block);
}

} // namespace

void locateBlock(const VoxelCells& cells, const Vec3f* from, PointBlock& block) {
    if (__builtin_cpu_supports("avx2"))
        locateBlockAvx2(cells, from, block);
    else
        locateBlockInline(cells, from, block);
}

} // namespace scanloupe::cpu
