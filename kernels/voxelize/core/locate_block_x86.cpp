// Locates blocks of points with AVX2 if the CPU has it. A plain branch selects the version: the resolver of
// gnu::target_clones runs before the thread sanitizer is initialized.
#include "kernels/voxelize/core/locate_block.h"

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
